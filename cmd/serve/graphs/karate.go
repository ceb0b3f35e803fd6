package graphs

import (
	_ "embed"
	"sync"
)

//go:embed karate.csv
var karateCSV []byte

// Karate is Zachary's karate club: 34 members, 78 undirected, unweighted edges.
// It is what a session without a graph of its own works on.
var Karate = sync.OnceValue(func() *Graph {
	g, err := Load("karate.csv", karateCSV, Options{})
	if err != nil {
		panic("graphs: embedded karate club: " + err.Error())
	}
	g.name = "Zachary's karate club"
	g.notes = nil
	return g
})
