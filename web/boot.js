// Starts the console's program, and speaks for it while it does not run: before
// its first render, when it cannot start, and after it has died. Loaded before
// the body, so that theme and language are right from the first paint.
"use strict";

(() => {
  const script = document.currentScript;
  // The bundle may lie under any path: its root is where this script came from.
  const root = new URL(".", script.src);
  const page = document.documentElement;

  const theme = stored("igraph.theme", ["light", "dark"]);
  if (theme) page.dataset.theme = theme; // otherwise the stylesheet follows the system
  const language = stored("igraph.lang", ["en", "zh"]) || preferredLanguage();
  page.lang = language === "zh" ? "zh-CN" : "en";

  // Where the browser forbids storage, merely reading its name throws, or gives
  // nothing; the framework looks without asking, and that would end the program.
  for (const name of ["localStorage", "sessionStorage"]) {
    if (!isThere(name)) Object.defineProperty(window, name, { value: memoryStorage() });
  }

  if (!script.dataset.program) return;
  // Asked for at once; a failure is reported when the page can show it.
  const download = fetch(script.dataset.program);
  download.catch(() => {});
  document.addEventListener("DOMContentLoaded", start);

  // stored reads a preference; a browser may forbid storage, or hold anything.
  function stored(key, allowed) {
    try {
      const value = localStorage.getItem(key);
      return allowed.includes(value) ? value : "";
    } catch {
      return "";
    }
  }

  function isThere(name) {
    try {
      return Boolean(window[name]);
    } catch {
      return false;
    }
  }

  // memoryStorage keeps what would be stored for as long as the page lives.
  function memoryStorage() {
    const kept = new Map();
    return {
      get length() { return kept.size; },
      key: (index) => [...kept.keys()][index] ?? null,
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, String(value)),
      removeItem: (name) => void kept.delete(name),
      clear: () => kept.clear(),
    };
  }

  function preferredLanguage() {
    const known = navigator.languages.map((tag) => tag.split("-")[0].toLowerCase());
    return known.find((tag) => tag === "en" || tag === "zh");
  }

  async function start() {
    let go, instance;
    try {
      go = newProgram();
      instance = await instantiate(go);
    } catch (cause) {
      showFailure(cause);
      return;
    }
    const output = keepOutput();
    window.addEventListener("error", (event) => {
      // A trap inside the program does not end go.run.
      if (event.error instanceof WebAssembly.RuntimeError) showDeath(event.error, output());
    });
    try {
      await go.run(instance);
      showDeath("The program ended.", output());
    } catch (cause) {
      showDeath(cause, output());
    }
  }

  // failure is an error with the reason a person is told.
  function failure(reason, cause) {
    return Object.assign(new Error(String(cause)), { reason });
  }

  function newProgram() {
    if (typeof WebAssembly !== "object" || !WebAssembly.instantiateStreaming) {
      throw failure("unsupported", "WebAssembly streaming is missing");
    }
    if (typeof Go !== "function") throw failure("missing", "wasm_exec.js did not load");
    const go = new Go();
    const prefix = withoutSlash(root.pathname);
    go.env = {
      GOAPP_ROOT_PREFIX: prefix,
      GOAPP_STATIC_RESOURCES_URL: prefix,
      // Where /api lies: beside this page, unless the build was told otherwise.
      IGRAPH_API_BASE: withoutSlash(script.dataset.api || prefix),
    };
    return go;
  }

  function withoutSlash(path) {
    return path.replace(/\/$/, "");
  }

  async function instantiate(go) {
    let response;
    try {
      response = await download;
    } catch (cause) {
      throw failure("network", cause);
    }
    if (!response.ok) throw failure("missing", `${response.url}: HTTP status ${response.status}`);
    const type = response.headers.get("Content-Type");
    if (type !== "application/wasm") throw failure("missing", `${response.url}: content type ${type}`);
    const options = { headers: { "Content-Type": type } };
    const counted = new Response(response.body.pipeThrough(progress(response)), options);
    try {
      return (await WebAssembly.instantiateStreaming(counted, go.importObject)).instance;
    } catch (cause) {
      const broken = cause instanceof WebAssembly.CompileError || cause instanceof WebAssembly.LinkError;
      throw failure(broken ? "broken" : "network", cause);
    }
  }

  // progress passes the program through and moves the bar. Content-Length would
  // be the compressed length, the stream gives raw bytes: hence X-Raw-Length.
  // Without it the bar stays indeterminate.
  function progress(response) {
    const bar = document.getElementById("boot-progress");
    const total = Number(response.headers.get("X-Raw-Length"));
    let loaded = 0;
    return new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.length;
        if (total) bar.value = loaded / total;
        controller.enqueue(chunk);
      },
    });
  }

  // keepOutput remembers the end of what the program prints, which is where a
  // panic says what happened.
  function keepOutput() {
    const decoder = new TextDecoder();
    const write = fs.writeSync;
    let tail = "";
    fs.writeSync = (fd, bytes) => {
      tail = (tail + decoder.decode(bytes, { stream: true })).slice(-8000);
      return write(fd, bytes);
    };
    return () => tail;
  }

  function showFailure(cause) {
    const notice = document.getElementById("boot-failed").content.cloneNode(true);
    const reason = cause.reason || "broken";
    for (const text of notice.querySelectorAll("[data-reason]")) {
      text.hidden = text.dataset.reason !== reason;
    }
    complete(notice, cause.message);
    document.getElementById("boot").classList.add("boot--failed");
    document.getElementById("boot-main").replaceChildren(notice);
  }

  // showDeath lies over everything the program drew, and over any later death: a
  // program that is gone goes on throwing from its listeners.
  function showDeath(cause, output) {
    const dialog = document.getElementById("boot-died");
    if (dialog.open) return;
    complete(dialog, `${cause}\n${output}`);
    dialog.showModal();
  }

  function complete(notice, cause) {
    notice.querySelector("[data-cause]").textContent = cause;
    // A person decides: reloading by itself could go on for ever.
    notice.querySelector("[data-reload]").addEventListener("click", () => location.reload());
  }
})();
