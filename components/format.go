package components

import (
	"math"
	"strconv"
	"strings"
	"time"

	"igraph-console/locales"
)

// formatDuration writes how long something took or has left: tenths of a second below ten seconds,
// then whole units, two at most. A negative duration, from clocks that disagree, counts as none.
func (p *Page) formatDuration(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < 10*time.Second:
		tenths := int64((d + 50*time.Millisecond) / (100 * time.Millisecond))
		seconds := strconv.FormatInt(tenths/10, 10)
		if tenths%10 != 0 {
			seconds += "." + strconv.FormatInt(tenths%10, 10)
		}
		return p.T(locales.TimeSeconds, locales.A("Seconds", seconds))
	case d < time.Hour:
		return p.formatTimer(d)
	}
	d = d.Round(time.Minute)
	return p.T(locales.TimeHoursMinutes,
		locales.A("Hours", strconv.Itoa(int(d/time.Hour))),
		locales.A("Minutes", strconv.Itoa(int(d%time.Hour/time.Minute))))
}

// formatTimer writes a duration that is still growing or shrinking, in whole seconds.
func (p *Page) formatTimer(d time.Duration) string {
	d = max(d, 0)
	if d >= time.Hour {
		return p.formatDuration(d)
	}
	minutes, seconds := int(d/time.Minute), int(d%time.Minute/time.Second)
	switch {
	case minutes == 0:
		return p.T(locales.TimeSeconds, locales.A("Seconds", strconv.Itoa(seconds)))
	case seconds == 0:
		return p.T(locales.TimeMinutes, locales.A("Minutes", strconv.Itoa(minutes)))
	}
	return p.T(locales.TimeMinutesSeconds,
		locales.A("Minutes", strconv.Itoa(minutes)), locales.A("Seconds", strconv.Itoa(seconds)))
}

// formatEstimate writes a duration that is only guessed, as coarsely as it is known.
func (p *Page) formatEstimate(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		d = max(5*time.Second, d.Round(5*time.Second))
	default:
		d = d.Round(time.Minute)
	}
	return p.T(locales.JobAbout, locales.A("Duration", p.formatTimer(d)))
}

// elapsed is the time from start to end, and whether it is known: a missing time is no time, not
// the year 1970, and it is never negative.
func elapsed(start, end time.Time) (time.Duration, bool) {
	if start.IsZero() || end.IsZero() {
		return 0, false
	}
	return max(0, end.Sub(start)), true
}

// formatTime writes a time of day in zone, and the day before it unless it is the day of now. A
// missing time gives "".
func (p *Page) formatTime(t, now time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	t, now = t.In(zone), now.In(zone)
	clock := t.Format("15:04")
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return clock
	}
	return p.formatDay(t, t.Year() != now.Year()) + " " + clock
}

func (p *Page) formatDay(t time.Time, withYear bool) string {
	if withYear {
		return t.Format(p.T(locales.TimeDayYear))
	}
	return t.Format(p.T(locales.TimeDay))
}

// at writes a time as people read it here and now.
func (p *Page) at(t time.Time) string { return p.formatTime(t, p.now(), time.Local) }

// now is the wall time.
func (p *Page) now() time.Time { return p.Acts.Client.Clock.Now() }

// formatSize writes a number of bytes in decimal units.
func formatSize(bytes int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	value, unit := float64(max(bytes, 0)), 0
	for value >= 999.5 && unit < len(units)-1 {
		value /= 1000
		unit++
	}
	digits := 0
	if unit > 0 && value < 9.95 {
		digits = 1
	}
	return strconv.FormatFloat(value, 'f', digits, 64) + " " + units[unit]
}

// formatCount writes a whole number with its thousands grouped.
func formatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "−", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// formatMetric writes a measured value with about four significant digits: more tell nothing on a
// card, and the table and the raw result have them all.
func formatMetric(v float64) string {
	switch abs := max(v, -v); {
	case abs != 0 && abs < 0.0005 || abs >= 1e6:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case abs < 10:
		return trimZeros(strconv.FormatFloat(v, 'f', 3, 64))
	case abs < 1000:
		return trimZeros(strconv.FormatFloat(v, 'f', 1, 64))
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// formatEpoch writes an epoch, which is a whole number in all but name. One that nobody counts to is
// not written out in all its digits.
func formatEpoch(v float64) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
