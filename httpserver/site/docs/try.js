// Sends requests of the description to the demo, with the demo's keys: the button "Try it" of each
// operation. Only a server with the demo's shop has this script.
"use strict";

(() => {
  /** kept has the id that an answer named last, by the path before it: {"/v1/api/commerce/carts": "f0…"}. */
  const kept = new Map();
  let sending = null; // aborts the request under way

  const element = (name, members = {}, ...children) => {
    const made = Object.assign(document.createElement(name), members);
    made.append(...children);
    return made;
  };

  /** operations are those of the description, by their ids. */
  function operations(description) {
    const all = new Map();
    for (const [path, item] of Object.entries(description.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId) all.set(operation.operationId, { ...operation, method: method.toUpperCase(), path });
      }
    }
    return all;
  }

  /** resolve returns a parameter, also one that operations share. */
  const resolve = (description, one) => (one.$ref ? one.$ref.slice(2).split("/").reduce((at, name) => at[name], description) : one);

  /** header returns the value that the operation's sample sends, "" if it is a variable of the shell. */
  function header(operation, name) {
    const source = operation["x-codeSamples"]?.[0]?.source ?? "";
    const request = source.slice(source.lastIndexOf("\ncurl ") + 1);
    const value = request.match(new RegExp(`-H ['"]${name}: ([^'"]*)['"]`))?.[1] ?? "";
    return value.includes("$") ? "" : value;
  }

  /** before returns the path in front of a placeholder. */
  const before = (path, name) => path.slice(0, path.indexOf(`/{${name}}`));

  /** keep remembers the id of an answer for the operations below its path. */
  function keep(path, body) {
    const id = body?.data?.id ?? body?.data?.[0]?.id;
    if (typeof id !== "string") return;
    const at = path.split("?")[0].replace(/\/[0-9a-f-]{36}(?=\/|$)/g, (found, where, whole) => (where + found.length === whole.length ? "" : found));
    kept.set(at.replace(/[0-9a-f-]{36}/g, "*"), id);
    if (/\/lines(\/batch)?$/.test(at) && Array.isArray(body.data.lines)) kept.set(at.replace(/[0-9a-f-]{36}/g, "*").replace(/\/batch$/, ""), body.data.lines.at(-1)?.id);
  }

  /** idFor returns the id that was kept for a placeholder. */
  const idFor = (path, name) => kept.get(before(path, name).replace(/\{[^}]*\}/g, "*")) ?? "";

  function field(label, value = "", members = {}) {
    const input = element(members.rows ? "textarea" : "input", { value, spellcheck: false, autocomplete: "off", ...members });
    return { input, label: element("label", {}, label, input), name: label };
  }

  /** dialog builds the panel of an operation. */
  function dialog(panel, description, operation) {
    const parameters = (operation.parameters ?? []).map((one) => resolve(description, one));
    const group = (place) => parameters.filter((one) => one.in === place).map((one) => field(one.name, place === "path" ? idFor(operation.path, one.name) : ""));
    const places = group("path"), queries = group("query");
    const headers = group("header");
    for (const one of headers) one.input.value = header(operation, one.name);
    const key = operation.security?.length ? field("Authorization", header(operation, "Authorization")) : null;
    const example = operation.requestBody?.content?.["application/json"]?.example;
    const body = operation.requestBody ? field("Body", example === undefined ? "" : JSON.stringify(example, null, 2), { rows: 6 }) : null;
    const output = element("div", { ariaLive: "polite" });
    const send = element("button", { type: "submit", textContent: "Send" });
    const close = element("button", { type: "button", className: "quiet", textContent: "Close" });
    const more = [...queries, ...headers];
    const form = element("form", {},
      ...places.map((one) => one.label), ...(key ? [key.label] : []), ...(body ? [body.label] : []),
      ...(more.length ? [element("details", { open: headers.some((one) => one.input.value) }, element("summary", { textContent: "Query and headers" }), ...more.map((one) => one.label))] : []),
      element("div", { className: "row" }, send), output);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const empty = places.find((one) => one.input.value.trim() === "");
      if (empty) {
        output.replaceChildren(element("p", { className: "bad", textContent: `Fill in ${empty.name} first: an operation that creates or lists such a record fills it in here.` }));
        empty.input.focus();
        return;
      }
      let path = operation.path;
      for (const one of places) path = path.replace(`{${one.name}}`, encodeURIComponent(one.input.value.trim()));
      const asked = new URLSearchParams(queries.filter((one) => one.input.value).map((one) => [one.name, one.input.value]));
      if (asked.size) path += "?" + asked;
      const sent = new Headers(headers.filter((one) => one.input.value).map((one) => [one.name, one.input.value]));
      if (key?.input.value) sent.set("Authorization", key.input.value);
      if (body?.input.value) sent.set("Content-Type", "application/json");
      request(operation.method, path, sent, body?.input.value || undefined, output);
    });
    close.addEventListener("click", () => { sending?.abort(); panel.hidden = true; panel.opener?.focus(); });
    panel.replaceChildren(
      element("header", {}, element("h2", { id: "try-title", tabIndex: -1, textContent: operation.summary }), close),
      element("p", {}, element("code", { textContent: operation.method + " " + operation.path })), form);
    panel.hidden = false;
    panel.querySelector("h2").focus();
  }

  /** request sends, and shows the answer; a stream grows until the next request or Close. */
  async function request(method, path, headers, body, output) {
    sending?.abort();
    sending = new AbortController();
    output.replaceChildren(element("p", { textContent: "Waiting for the answer…" }));
    const began = performance.now();
    try {
      const answer = await fetch(path, { method, headers, body, signal: sending.signal });
      const text = element("pre", { tabIndex: 0 });
      text.setAttribute("aria-label", "Body of the answer");
      const shown = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
      output.replaceChildren(
        element("p", { className: answer.ok ? "good" : "bad", textContent: `${method} ${path}: ${answer.status} after ${Math.round(performance.now() - began)} ms` }),
        text, element("details", {}, element("summary", { textContent: "Headers of the answer" }), element("pre", { textContent: shown })));
      const decoder = new TextDecoder();
      for (const reader = answer.body?.getReader(); reader;) {
        const { done, value } = await reader.read();
        if (done) break;
        text.textContent += decoder.decode(value, { stream: true });
      }
      if (!text.textContent) text.textContent = "(no body)";
      else if (answer.headers.get("Content-Type")?.includes("json")) {
        const read = JSON.parse(text.textContent);
        text.textContent = JSON.stringify(read, null, 2);
        if (answer.ok) keep(path, read);
      }
    } catch (fault) {
      if (fault.name !== "AbortError") output.replaceChildren(element("p", { className: "bad", textContent: "No answer: " + fault.message }));
    }
  }

  /** tryRequests adds a button to each operation that Redoc shows under place. */
  window.tryRequests = (description, place) => {
    const all = operations(description);
    let panel = document.getElementById("try");
    if (!panel) {
      panel = element("section", { id: "try", hidden: true });
      panel.setAttribute("aria-labelledby", "try-title");
      panel.addEventListener("keydown", (event) => { if (event.key === "Escape") panel.querySelector("button.quiet").click(); });
      document.body.append(panel);
    }
    const add = () => {
      for (const section of place.querySelectorAll("[data-section-id*='operation/']")) {
        const operation = all.get(section.dataset.sectionId.split("operation/")[1]);
        const heading = section.querySelector("h2");
        if (!operation || !heading || section.querySelector(".try")) continue;
        const button = element("button", { type: "button", className: "try", textContent: "Try it" });
        button.setAttribute("aria-label", "Try it: " + operation.summary);
        button.addEventListener("click", () => { panel.opener = button; dialog(panel, description, operation); });
        heading.after(button);
      }
    };
    add();
    new MutationObserver(add).observe(place, { childList: true, subtree: true });
  };
})();
