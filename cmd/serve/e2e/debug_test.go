package e2e
import "testing"
func dump(t *testing.T, w *world) {
	for _, on := range []string{"chat","resume","feedback","snapshot","control"} {
		for _, r := range w.requests(on) { t.Log(r.At.Format("05.000"), r.On, r.Query, r.Status, r.Outcome, r.Body) }
	}
}
