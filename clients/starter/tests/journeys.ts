import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromium, type Browser, type BrowserContext, type ElementHandle, type Page } from "playwright-core";
import { root, startServers, type Servers } from "./servers";

// Journeys of shoppers in a browser: what they do, and what the pages show. A bug report is a file.
//
//   npm run journeys                    runs all; the shop must be built
//   npm run journeys sale signature     runs journeys/sale.txt and journeys/signature.txt
//   npm run journeys -- --update        writes the answers, for a look at the difference
//
// A file has one command a line, in blocks with empty lines between them. A line that begins with # is a comment. A block with `show`, `get`, `calls` or
// `kept` has its answer under ----. Each file has a demo, a shop and browsers of its own.
//
//   store PATH = JSON        changes the demo's document, ahead of all else: store.policy.min_order_value_amount = 5000. An element of a list is named by its
//                            slug, id, name, key or code: products.book-well-dressed-window.stock
//   shopper NAME [LANGUAGE]  goes on with another person's browser; its language is English if none is named
//   plain NAME [LANGUAGE]    the same, of a person whose browser runs no scripts
//   tab NAME                 goes on with another tab of that browser
//   window WIDTH HEIGHT      sets the size of the window
//   open PATH                opens a page
//   reload, back             as the browser's buttons
//   press NAME               clicks the button, link or label of this name, or one whose name begins so
//   twice NAME               clicks it twice within one moment
//   fill LABEL: VALUE        types into a field
//   choose LABEL: TEXT       chooses an option
//   keys KEY…                presses keys: Tab, Enter, or a letter
//   draw NAME                draws in a field to draw
//   see TEXT, see not TEXT   waits until the page has this text, or has it no more
//   focus NAME               waits until the focus is on what has this name
//   title TEXT               waits until the window's title begins so
//   address PATH             waits until the page's address begins so
//   await SCRIPT             waits until a script's value is true
//   run SCRIPT               runs a script in the page
//   looks NAME               the page is as wide as the window, and axe-core finds nothing, on a screen and on a phone, in light and dark; SHOTS names a folder
//                            for its pictures
//   api KEY METHOD PATH JSON a request of the merchant's system with a key of the demo, without its demo- and -key: api merchant POST orders/ID/cancel
//   end NAME                 ends the login of the shopper's browser elsewhere: NAME is that of the demo's account
//   break METHOD PATH [N]    cartd answers 503 to requests whose path ends so, until heal, or N times; * stands for every method, / for every path
//   limit METHOD PATH [N]    as break, with 429
//   close METHOD PATH [N]    as break, as a store does that is closed for orders
//   lose METHOD PATH [N]     as break, but cartd does what it is asked, and the connection is lost ahead of its answer
//   heal                     ends all faults
//   slow MILLISECONDS        makes each request to cartd take this time more
//   offline, online          takes the browser's network away, and brings it back
//   drain                    ends the streams of events as a node of cartd does that stops
//   visitor ADDRESS          the browser's requests come from this address
//   show SELECTOR            the text of the elements that a selector finds, one a line
//   get PATH                 the status of a request, and where it leads
//   calls                    the requests that cartd has had since the last `calls`
//   kept                     how many answers of cartd are kept on the disk since the beginning of the journey

const patience = 20_000;
const wide = { width: 1280, height: 900 };
const phone = { width: 360, height: 740 };
const kept = join(root, ".next/cache/fetch-cache");
const update = process.argv.includes("--update");
const wanted = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

/** Finds a visible element by its name, as assistive technology knows it. */
const finder = `(() => {
  const shown = (e) => e.checkVisibility() && e.getClientRects().length > 0;
  const said = (e) => (e.getAttribute("aria-label") ?? e.innerText ?? "").replace(/\\s+/g, " ").trim();
  const named = (kinds, name, exact) => [...document.querySelectorAll(kinds)].filter(shown).find((e) => exact ? said(e) === name : said(e).startsWith(name));
  const press = (name) => named("button, a, summary, label", name, true) ?? named("button, a, summary, label", name, false);
  const field = (name) => {
    const label = [...document.querySelectorAll("label[for]")].filter(shown).find((e) => said(e) === name || e.firstChild.textContent.trim() === name);
    return label ? document.getElementById(label.htmlFor) : named("input, select, textarea, canvas", name, true);
  };
  return { press, field };
})()`;

class Journey {
  private servers: Servers | null = null;
  private document: Record<string, unknown> | null = null;
  private contexts = new Map<string, BrowserContext>();
  private pages = new Map<string, Page>();
  private person = "shopper";
  private page: Page | null = null;
  private faults: string[] = [];
  private keptBefore = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), "journey-"));

  constructor(
    private readonly file: string,
    private readonly browser: Browser,
  ) {}

  async run(): Promise<void> {
    const blocks = readFileSync(this.file, "utf8").trim().split("\n\n");
    let number = 1;
    let place = "";
    try {
      for (const [i, block] of blocks.entries()) {
        const [commands = "", want = ""] = block.replace(/\n----$/, "\n----\n").split("\n----\n");
        const got: string[] = [];
        for (const [n, line] of commands.split("\n").entries()) {
          if (line === "" || line.startsWith("#")) continue;
          place = `${basename(this.file)}:${number + n}: ${line}`;
          const cut = line.indexOf(" ");
          got.push(...(await this.carryOut(cut < 0 ? line : line.slice(0, cut), cut < 0 ? "" : line.slice(cut + 1))));
        }
        const answer = got.join("\n");
        number += block.split("\n").length + 1;
        if (update && answer !== "") blocks[i] = `${commands}\n----\n${answer}`;
        else if (answer !== want) throw new Error(`got:\n${answer}\nwant:\n${want}`);
      }
      if (this.faults.length > 0) throw new Error(`errors of the pages:\n${this.faults.join("\n")}`);
      if (update) writeFileSync(this.file, `${blocks.join("\n\n")}\n`);
    } catch (error) {
      const picture = join(tmpdir(), `journey-${basename(this.file, ".txt")}.png`);
      await this.page?.screenshot({ path: picture, fullPage: true }).catch(() => {});
      const text = await this.page?.evaluate("location.href + '\\n' + document.body.innerText").catch(() => "");
      throw new Error(`${place}\n${(error as Error).message}\nThe page (${picture}):\n${text as string}`, { cause: error });
    } finally {
      for (const context of this.contexts.values()) await context.close();
      await this.servers?.stop();
      rmSync(this.folder, { recursive: true });
    }
  }

  private async carryOut(name: string, rest: string): Promise<string[]> {
    if (name === "store") return this.change(rest);
    const servers = await this.start();
    const words = rest.split(" ");
    switch (name) {
      case "shopper":
      case "plain":
        this.person = words[0]!;
        return this.goOn(words[1] ?? "en", "", name === "shopper");
      case "tab":
        return this.goOn("en", rest, true);
      case "break":
      case "lose":
      case "limit":
      case "close":
        servers.faults.push({ kind: name, method: words[0]!, path: words[1] === "/" ? "" : words[1]!, times: Number(words[2] ?? Infinity) });
        return [];
      case "heal":
        servers.faults.length = 0;
        return [];
      case "slow":
        servers.slow.by = Number(rest);
        return [];
      case "drain":
        servers.drain();
        return [];
      case "api":
        await this.ask(`demo-${words[0]}-key`, words[1]!, words[2]!, words.slice(3).join(" "));
        return [];
      case "calls":
        return servers.calls.splice(0).sort();
      case "kept":
        return [String(files(kept) - this.keptBefore)];
      case "get": {
        const answer = await fetch(servers.shop + rest, { redirect: "manual" });
        return [[answer.status, answer.headers.get("Location")?.replace(servers.shop, "")].filter(Boolean).join(" ")];
      }
    }
    if (this.page === null) await this.goOn("en", "", true);
    return this.look(this.page!, servers, name, rest);
  }

  private async look(page: Page, servers: Servers, name: string, rest: string): Promise<string[]> {
    const text = JSON.stringify(rest);
    switch (name) {
      case "open":
        await page.goto(servers.shop + rest);
        break;
      case "reload":
        await page.reload();
        break;
      case "back":
        await page.goBack();
        break;
      case "window": {
        const [width, height] = rest.split(" ").map(Number);
        await page.setViewportSize({ width: width!, height: height! });
        break;
      }
      case "press":
        await (await this.find(page, `${finder}.press(${text})`)).click();
        break;
      case "twice":
        await page.evaluate(`(() => { const e = ${finder}.press(${text}); e.click(); e.click(); })()`);
        break;
      case "fill": {
        const [field, value] = await this.field(page, rest);
        await field.fill(value);
        break;
      }
      case "choose": {
        const [field, label] = await this.field(page, rest);
        await field.selectOption({ label });
        break;
      }
      case "keys":
        for (const key of rest.split(" ")) await page.keyboard.press(key);
        break;
      case "draw": {
        const box = (await (await this.find(page, "document.querySelector('canvas')")).boundingBox())!;
        await page.mouse.move(box.x + 40, box.y + 60);
        await page.mouse.down();
        for (let i = 0; i < 12; i++) await page.mouse.move(box.x + 40 + i * 20, box.y + 40 + (i % 3) * 20);
        await page.mouse.up();
        break;
      }
      case "see": {
        const not = rest.startsWith("not ");
        const has = `document.body.innerText.replace(/\\s+/g, " ").includes(${JSON.stringify(not ? rest.slice(4) : rest)})`;
        await this.until(page, not ? `!${has}` : has);
        break;
      }
      case "focus":
        await this.until(
          page,
          `((e) => (e.getAttribute("aria-label") ?? document.querySelector('label[for="' + e.id + '"]')?.firstChild.textContent ?? e.innerText ?? "")
            .replace(/\\s+/g, " ").trim() === ${text})(document.activeElement)`,
        );
        break;
      case "title":
        await this.until(page, `document.title.startsWith(${text})`);
        break;
      case "address":
        await this.until(page, `decodeURIComponent(location.pathname + location.search).startsWith(${text})`);
        break;
      case "await":
        await this.until(page, rest);
        break;
      case "run":
        await page.evaluate(`Promise.resolve(${rest}).then(() => true)`);
        break;
      case "offline":
      case "online":
        await page.context().setOffline(name === "offline");
        break;
      case "visitor":
        await page.context().setExtraHTTPHeaders({ "X-Forwarded-For": rest });
        break;
      case "end": {
        const token = (await page.context().cookies()).find((one) => one.name === "customer")?.value;
        await this.ask("demo-storefront-key", "POST", "contacts/logout", "", { "X-Customer-Token": token ?? "" });
        break;
      }
      case "looks":
        await this.looks(page, rest);
        break;
      case "show":
        await this.until(page, `document.querySelector(${text})`);
        return page.evaluate(
          `[...document.querySelectorAll(${text})].filter((e) => e.getClientRects().length > 0).map((e) => e.innerText.replace(/\\s+/g, " ").trim())`,
        );
      default:
        throw new Error("there is no such command");
    }
    return [];
  }

  private async start(): Promise<Servers> {
    if (this.servers) return this.servers;
    const file = this.document && join(this.folder, "store.json");
    if (file) writeFileSync(file, JSON.stringify(this.document));
    this.keptBefore = files(kept);
    return (this.servers = await startServers(file));
  }

  /** Goes on in a tab of a person's browser, and opens it at the home page if it is new. */
  private async goOn(locale: string, tab: string, javaScriptEnabled: boolean): Promise<string[]> {
    const servers = await this.start();
    let context = this.contexts.get(this.person);
    if (!context) {
      context = await this.browser.newContext({ locale, javaScriptEnabled, viewport: wide });
      context.setDefaultTimeout(patience);
      this.contexts.set(this.person, context);
    }
    const id = `${this.person} ${tab}`;
    let page = this.pages.get(id);
    if (!page) {
      page = await context.newPage();
      this.pages.set(id, page);
      // 441: the server could not make a part of the page. The page says so.
      page.on("pageerror", (error) => /#441/.test(String(error)) || this.faults.push(String(error)));
      // The browser itself logs each answer from 400 on, and each lost one.
      page.on("console", (said) => said.type() === "error" && !/^Failed to load resource|#441/.test(said.text()) && this.faults.push(said.text()));
      await page.goto(servers.shop);
    }
    this.page = page;
    await page.bringToFront();
    return [];
  }

  /** Waits until a script finds an element. A page that is just being left has none. */
  private async find(page: Page, script: string) {
    await this.until(page, script);
    return (await page.evaluateHandle(script)) as unknown as ElementHandle<HTMLElement>;
  }

  /** Waits for the field of a line LABEL: VALUE. Both may have a colon: the label is the longest one that the page has. */
  private async field(page: Page, rest: string): Promise<[ElementHandle<HTMLElement>, string]> {
    const parts = rest.replace(/:$/, ": ").split(": ");
    const splits = parts
      .map((_, i) => [parts.slice(0, i).join(": "), parts.slice(i).join(": ")] as const)
      .slice(1)
      .reverse();
    const has = ([label]: readonly [string, string]) => `${finder}.field(${JSON.stringify(label)})`;
    await this.until(page, splits.map(has).join(" || "));
    for (const split of splits) {
      if (await page.evaluate(`Boolean(${has(split)})`)) return [await this.find(page, has(split)), split[1]];
    }
    throw new Error("the field is gone");
  }

  /** Waits until the value of a script is true. */
  private async until(page: Page, script: string): Promise<void> {
    for (const end = Date.now() + patience; ;) {
      if (await page.evaluate(`Promise.resolve(${script}).then(Boolean)`).catch(() => false)) return;
      if (Date.now() > end) throw new Error(`${script} is not true`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Looks at the page on a screen and on a phone, in light and dark colours. */
  private async looks(page: Page, name: string): Promise<void> {
    await this.until(page, "document.title");
    for (const [size, colorScheme] of [
      [wide, "light"],
      [phone, "dark"],
    ] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (width > size.width) throw new Error(`${name} is ${width} pixels wide in a window of ${size.width}`);
      if (process.env.SHOTS)
        await page.screenshot({ path: join(process.env.SHOTS, `${name.replaceAll(" ", "-")}-${size.width}.png`), fullPage: true });
      const faults = await page.evaluate<string[]>(`(async () => {
        ${axe};
        const { violations } = await axe.run(document, { resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html));
      })()`);
      if (faults.length > 0) throw new Error(`axe-core finds in ${name}, ${size.width} pixels:\n${faults.join("\n")}`);
    }
    await page.setViewportSize(wide);
    await page.emulateMedia({ colorScheme: "light" });
  }

  private async ask(key: string, method: string, path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
    const { cartd } = await this.start();
    const answer = await fetch(`${cartd}/v1/api/${path}`, { method, body: body || null, headers: { Authorization: `Bearer ${key}`, ...headers } });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Changes a member of the demo's document. */
  private change(rest: string): string[] {
    const file = process.env.DEMO_STORE ?? join(root, "../../cmd/cartd/demo/store.json");
    this.document ??= JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const cut = rest.indexOf(" = ");
    const names = rest.slice(0, cut).split(".");
    const last = names.pop()!;
    let at: unknown = this.document;
    for (const name of names) {
      if (Array.isArray(at))
        at = (at as Record<string, unknown>[]).find((one) => ["slug", "id", "name", "key", "code"].some((by) => one[by] === name));
      else at = (at as Record<string, unknown>)[name] ??= {};
      if (at === undefined) throw new Error(`the document has no ${name}`);
    }
    (at as Record<string, unknown>)[last] = JSON.parse(rest.slice(cut + 3));
    return [];
  }
}

function files(folder: string): number {
  if (!statSync(folder, { throwIfNoEntry: false })) return 0;
  return readdirSync(folder).length;
}

const folder = join(root, "tests/journeys");
const all = readdirSync(folder).filter((one) => one.endsWith(".txt") && (wanted.length === 0 || wanted.includes(basename(one, ".txt"))));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
let failed = 0;
for (const one of all) {
  const began = Date.now();
  try {
    await new Journey(join(folder, one), browser).run();
    console.log(`ok    ${one} ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.log(`FAILS ${(error as Error).message}\n`);
  }
}
await browser.close();
if (all.length === 0) console.log("there is no such journey");
process.exit(failed > 0 || all.length === 0 ? 1 : 0);
