package components

import (
	"testing"
	"time"

	"igraph-console/locales"
)

func inLanguage(lang locales.Lang) *Page { return &Page{words: locales.For(lang)} }

func TestDurationsAreShortAndNeverNegative(t *testing.T) {
	en, zh := inLanguage(locales.English), inLanguage(locales.Chinese)
	for _, c := range []struct {
		d      time.Duration
		en, zh string
	}{
		{-time.Hour, "0 s", "0秒"},
		{0, "0 s", "0秒"},
		{400 * time.Millisecond, "0.4 s", "0.4秒"},
		{3*time.Second + 160*time.Millisecond, "3.2 s", "3.2秒"},
		{18 * time.Second, "18 s", "18秒"},
		{2 * time.Minute, "2 min", "2分钟"},
		{6*time.Minute + 32*time.Second, "6 min 32 s", "6分32秒"},
		{time.Hour + 5*time.Minute, "1 h 5 min", "1小时5分"},
	} {
		if got := en.formatDuration(c.d); got != c.en {
			t.Errorf("%v in English: %q, want %q", c.d, got, c.en)
		}
		if got := zh.formatDuration(c.d); got != c.zh {
			t.Errorf("%v in Chinese: %q, want %q", c.d, got, c.zh)
		}
	}
}

func TestRunningTimesCountWholeSeconds(t *testing.T) {
	if got := inLanguage(locales.English).formatTimer(3*time.Second + 900*time.Millisecond); got != "3 s" {
		t.Errorf("got %q", got)
	}
}

func TestSameInstantShowsTheSameTime(t *testing.T) {
	p := inLanguage(locales.English)
	shanghai := time.FixedZone("", 8*60*60)
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, shanghai)
	for _, at := range []time.Time{
		time.Date(2026, 1, 5, 2, 0, 0, 0, time.UTC),
		time.Date(2026, 1, 5, 10, 0, 0, 0, shanghai),
		time.Unix(1767578400, 0),
	} {
		if got := p.formatTime(at, now, shanghai); got != "10:00" {
			t.Errorf("%v shows as %q", at, got)
		}
	}
}

func TestTimesOfOtherDaysCarryTheirDay(t *testing.T) {
	now := time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
	at := time.Date(2026, 7, 27, 14, 18, 0, 0, time.UTC)
	before := time.Date(2025, 8, 5, 14, 18, 0, 0, time.UTC)
	for lang, want := range map[locales.Lang][2]string{
		locales.English: {"27 Jul 14:18", "5 Aug 2025 14:18"},
		locales.Chinese: {"7月27日 14:18", "2025年8月5日 14:18"},
	} {
		p := inLanguage(lang)
		got := [2]string{p.formatTime(at, now, time.UTC), p.formatTime(before, now, time.UTC)}
		if got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}

func TestMissingTimesShowNothing(t *testing.T) {
	p := inLanguage(locales.English)
	now := time.Now()
	if got := p.formatTime(time.Time{}, now, time.UTC); got != "" {
		t.Errorf("a missing time shows as %q", got)
	}
	if _, known := elapsed(time.Time{}, now); known {
		t.Error("the time since a missing start is known")
	}
	if _, known := elapsed(now, time.Time{}); known {
		t.Error("the time until a missing end is known")
	}
	if d, known := elapsed(now, now.Add(-8*time.Hour)); !known || d != 0 {
		t.Errorf("an end before its start gives %v", d)
	}
	missing := &runningTime{P: p}
	if got := missing.text(now); got != "" {
		t.Errorf("a running time without a start shows %q", got)
	}
}

func TestCountdownEndsWithoutWords(t *testing.T) {
	p := inLanguage(locales.English)
	at := time.Now()
	r := &runningTime{P: p, Kind: timeExpires, From: at.Add(26*time.Minute + 20*time.Second)}
	if got := r.text(at); got != "expires in 26 min" {
		t.Errorf("got %q", got)
	}
	if got := r.text(at.Add(time.Hour)); got != "" {
		t.Errorf("past its end it shows %q", got)
	}
}

func TestSizes(t *testing.T) {
	for size, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 4100: "4.1 kB", 20_000: "20 kB", 999_999: "1.0 MB", 5 << 20: "5.2 MB", -1: "0 B",
	} {
		if got := formatSize(size); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}

func TestCountsAreGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 48210: "48,210", 1234567: "1,234,567", -2000: "−2,000"} {
		if got := formatCount(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestMetricsKeepWhatTellsThemApart(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.418: "0.418", 0.8869: "0.887", 12.25: "12.2", 0.00001234: "1.23e-05", 48210: "48210", 2: "2", -0.5: "-0.5",
	} {
		if got := formatMetric(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestEpochsAreWholeNumbersOfASizeThatFits(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12: "12", 2.5: "2.5", 1_000_000: "1000000", 1e300: "1e+300", -1e300: "-1e+300"} {
		if got := formatEpoch(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
