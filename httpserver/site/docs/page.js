// Shows the API's description by Redoc, in light or dark colours as the browser asks. With the demo's
// script (try.js) each operation has a button that sends its request.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** theme has the colours of Redoc. */
function theme() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue("--" + name).trim();
  const text = { primary: color("ink"), secondary: color("soft") };
  const code = dark.matches ? "#0d1014" : "#22272e";
  const answer = (name) => ({ color: color(name), backgroundColor: color("card"), tabTextColor: name === "good" ? "#7ee2a0" : "#ff9d94" });
  return {
    colors: {
      primary: { main: color("link") },
      success: { main: color("good") },
      error: { main: color("bad") },
      text,
      border: { dark: color("line"), light: color("line") },
      responses: { success: answer("good"), error: answer("bad"), redirect: answer("good"), info: answer("good") },
      http: dark.matches
        ? { get: "#2e7d4f", post: "#1f5fae", put: "#8a5a13", patch: "#8a5a13", delete: "#a8322a" }
        : { get: "#1a7f37", post: "#0a58ca", put: "#8a5a13", patch: "#8a5a13", delete: "#b3261e" },
    },
    schema: {
      linesColor: color("line"), typeNameColor: color("soft"), typeTitleColor: color("soft"), requireLabelColor: color("bad"),
      nestedBackground: color("card"), arrow: { color: color("soft") },
    },
    sidebar: { backgroundColor: color("card"), textColor: color("ink"), activeTextColor: color("link"), arrow: { color: color("soft") } },
    rightPanel: { backgroundColor: dark.matches ? "#0d1014" : "#22272e", textColor: "#e6edf3" },
    codeBlock: { backgroundColor: dark.matches ? "#1d2229" : "#161b22" },
    typography: {
      links: { color: color("link"), visited: color("link"), hover: color("link") },
      code: { color: color("ink"), backgroundColor: color("card") },
    },
  };
}

const options = () => ({
  hideHostname: true, expandResponses: "200,201,202", requiredPropsFirst: false, jsonSampleExpandLevel: 3, pathInMiddlePanel: true, hideLoading: true,
  nativeScrollbars: true, scrollYOffset: () => document.getElementById("bar").offsetHeight, theme: theme(),
});

/** load returns the description. Its samples and links call this page's own origin, also behind a proxy
 * that the server does not trust. */
async function load() {
  const answer = await fetch("/openapi.json");
  if (!answer.ok) throw new Error("/openapi.json is answered " + answer.status);
  const text = await answer.text();
  return JSON.parse(text.replaceAll(new URL(JSON.parse(text).externalDocs.url).origin, location.origin));
}

function show(description) {
  const place = document.createElement("main");
  place.id = "redoc";
  document.getElementById("redoc").replaceWith(place);
  Redoc.init(description, options(), place, (fault) => {
    if (fault) fail(fault);
    else window.tryRequests?.(description, place);
  });
}

function fail(fault) {
  const text = document.createElement("p");
  text.id = "fault";
  text.textContent = "The description cannot be shown: " + fault.message;
  document.getElementById("redoc").replaceChildren(text);
}

load().then((description) => {
  show(description);
  dark.addEventListener("change", () => show(description));
}, fail);
