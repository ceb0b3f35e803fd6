// Runs in every page before its own scripts. It looks at the page in every frame in which something
// changed, and keeps what must never happen; and it offers the tests a way to wait.
"use strict";
(() => {
  if (window.__e2e) return;
  const hook = (name) => `[data-testid="${name}"]`;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const shown = (el) => el.getClientRects().length > 0;

  // Marks of Markdown come and go while a text grows; letters and digits stay.
  const letters = (el) => el.textContent.replace(/[^\p{L}\p{N}]/gu, "");

  const violations = new Set();
  const probes = new Map();
  const series = new Map();
  const seen = new Map(); // letters of each message by its id
  const last = { turn: "", length: 0, items: 0, frames: 0 };

  function sample() {
    last.frames++;
    unique("message", "data-message-id");
    unique("tool", "data-call-id");
    unique("approval", "data-request-id");
    unique("skill-candidate", "data-candidate-id");
    unique("turn", "data-turn-id");
    const turn = all(hook("turn")).at(-1);
    if (turn) sampleTurn(turn);
    for (const [name, probe] of probes) record(name, probe);
  }

  function unique(name, attribute) {
    const ids = new Set();
    for (const el of all(hook(name))) {
      const id = el.getAttribute(attribute);
      if (id && ids.has(id)) violations.add(`${name} ${id} is there twice`);
      ids.add(id);
    }
  }

  // sampleTurn looks at the last turn only: the others do not change.
  function sampleTurn(turn) {
    const id = turn.getAttribute("data-run-id") || "";
    const items = all(["message", "tool", "plan", "approval", "skill-candidate"].map(hook).join(","), turn);
    const messages = items.filter((el) => el.matches(hook("message")) && shown(el));
    const texts = messages.map((el) => [el.getAttribute("data-message-id"), letters(el)]);
    const length = texts.reduce((sum, [, text]) => sum + text.length, 0);
    if (id && id === last.turn) {
      if (length < last.length) violations.add(`the last turn's text shrank from ${last.length} to ${length}`);
      if (items.length < last.items) violations.add(`the last turn's items went from ${last.items} to ${items.length}`);
    }
    for (const [message, text] of texts) {
      const before = seen.get(message) || "";
      if (!text.startsWith(before)) {
        violations.add(`message ${message} changed from …${before.slice(-60)} to …${text.slice(-60)}`);
      }
      seen.set(message, text);
    }
    Object.assign(last, { turn: id, length, items: items.length });
  }

  function record(name, probe) {
    let value;
    try {
      value = JSON.stringify(probe());
    } catch (cause) {
      value = JSON.stringify(String(cause));
    }
    const values = series.get(name) || [];
    if (values.at(-1) !== value) values.push(value);
    series.set(name, values);
  }

  // What is drawn is what stands after layout, when the page's own resize observers have moved what
  // they move. The newest observer is called last.
  let changed = true;
  let waiting = [];
  const look = () => {
    if (changed || probes.size) {
      changed = false;
      const drawn = new ResizeObserver(() => {
        drawn.disconnect();
        sample();
      });
      drawn.observe(document.documentElement);
    }
    waiting = waiting.filter((check) => !check());
    requestAnimationFrame(look);
  };
  new MutationObserver(() => (changed = true)).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
  requestAnimationFrame(look);

  window.__e2e = {
    violations: () => [...violations],
    last: () => last,
    series: (name) => (series.get(name) || []).map((value) => JSON.parse(value)),
    probe: (name, probe) => probes.set(name, probe),
    lastTurn: () => all(hook("turn")).at(-1) || null,

    // find takes CSS; ":last-turn" at its beginning is the last turn.
    find: (selector) => __e2e.all(selector)[0] || null,
    all(selector) {
      if (!selector.startsWith(":last-turn")) return all(selector);
      const turn = __e2e.lastTurn();
      const rest = selector.slice(":last-turn".length).trim();
      if (!turn || !rest) return turn ? [turn] : [];
      return all(rest, turn);
    },

    // resting reports whether the conversation has not scrolled since the last frame.
    resting() {
      const top = document.querySelector(hook("conversation")).scrollTop;
      const before = __e2e.restedAt;
      __e2e.restedAt = top;
      return before === top;
    },

    // until resolves with the first true value of a check, asked once per frame.
    until: (check) =>
      new Promise((resolve, reject) => {
        const settled = () => {
          try {
            const value = check();
            if (value) resolve(value);
            return value;
          } catch (cause) {
            reject(cause);
            return true;
          }
        };
        if (!settled()) waiting.push(settled);
      }),

    // place is where to click an element: visible, enabled, at rest, and not covered. It scrolls as
    // a person would, only when it has to.
    place(selector) {
      const el = __e2e.find(selector);
      if (!el || !shown(el) || el.disabled || el.getAttribute("aria-disabled") === "true") return null;
      let box = el.getBoundingClientRect();
      if (box.top < 0 || box.bottom > innerHeight || !covers(el, box)) {
        el.scrollIntoView({ block: "nearest" });
        box = el.getBoundingClientRect();
      }
      const before = el.__e2eBox;
      el.__e2eBox = `${box.x} ${box.y}`;
      return before === el.__e2eBox && covers(el, box) ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
    },
  };

  function covers(el, box) {
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !!hit && (el.contains(hit) || hit.contains(el) && hit.matches("label, button, a"));
  }
})();
