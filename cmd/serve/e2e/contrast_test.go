package e2e

import (
	"strings"
)

// faint lists the texts on screen whose contrast with what lies behind them is below 4.5.
const faint = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
	const parse = (color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
		return [r, g, b, a / 255];
	};
	const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3])).concat(1);
	const behind = (el) => {
		if (!el) return parse(getComputedStyle(document.documentElement).backgroundColor || "white");
		const own = parse(getComputedStyle(el).backgroundColor);
		return own[3] === 1 ? own : over(own, behind(el.parentElement));
	};
	const opacity = (el) => (el ? Number(getComputedStyle(el).opacity) * opacity(el.parentElement) : 1);
	const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const contrast = (a, b) => {
		const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	const found = new Map();
	const check = (el, color, text) => {
		const ground = behind(el);
		const ink = parse(color);
		ink[3] *= opacity(el);
		const ratio = contrast(over(ink, ground), ground);
		if (ratio < 4.5) found.set(el.className + " " + text.trim().slice(0, 30), ratio.toFixed(2));
	};
	for (const el of document.querySelectorAll("body *")) {
		const box = el.getBoundingClientRect();
		if (!el.getClientRects().length || el.closest(".vh, svg, .skip") || box.width < 2) continue;
		const style = getComputedStyle(el);
		if (style.visibility === "hidden") continue;
		const text = [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("");
		if (text.trim()) check(el, style.color, text);
		if (el.placeholder && !el.value) check(el, getComputedStyle(el, "::placeholder").color, el.placeholder);
		if (el.value && /^(TEXTAREA|INPUT)$/.test(el.tagName) && el.type !== "file") check(el, style.color, el.value);
	}
	return [...found].map(([what, ratio]) => ratio + " " + what);
})()`

// readable fails if a text on screen is too faint to read.
func (p *page) readable(state string) {
	p.t.Helper()
	if list := value[[]string](p, faint); len(list) > 0 {
		p.t.Errorf("%s: too faint to read:\n%s", state, strings.Join(list, "\n"))
	}
}
