// Package graphs holds the graphs that the embedded reference backend works
// on: reading them from files, changing them with a preview, analysing them
// with gonum, and training a link predictor on them.
//
// A Graph never changes after it is made, so any number of runs may read it at
// once; a mutation gives a new Graph. Every result is deterministic: the same
// graph and the same question give the same bytes, which is what lets a
// restored snapshot be compared with the run that wrote it.
package graphs
