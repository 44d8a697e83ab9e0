//go:build long

package shop

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"cartd/blackbox"
	"cartd/internal/process"
)

// starter builds clients/starter in a folder of its own with the packed client, as its README says, and
// serves it on a fresh demo. It returns the shop's address and the folder.
func starter(t *testing.T) (base, folder string) {
	t.Helper()
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	folder = filepath.Join(work, "starter")
	copyProject(t, filepath.Join(root, "clients/typescript"), filepath.Join(work, "typescript"))
	copyProject(t, filepath.Join(root, "clients/starter"), folder)
	addr, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	base = "http://" + addr
	cartd := serve(t, "--trusted-proxies", "127.0.0.1")
	environment := append(os.Environ(), "CARTD_URL="+cartd, "SHOP_URL="+base, "NEXT_TELEMETRY_DISABLED=1")
	run := func(folder string, command ...string) string {
		t.Helper()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(work, folder), environment
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
		return string(output)
	}
	run("typescript", "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	run("typescript", "npm", "pack", "--loglevel=error")
	run("starter", "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "../typescript/cartd-client-0.1.0.tgz")
	if output := run("starter", "npm", "run", "build"); regexp.MustCompile(`(?i)warn|⚠|deprecat`).MatchString(output) {
		t.Errorf("npm run build warns:\n%s", output)
	}
	host, port, _ := strings.Cut(addr, ":")
	cmd := exec.Command(filepath.Join(folder, "node_modules/.bin/next"), "start", "-H", host, "-p", port)
	cmd.Dir, cmd.Env = folder, environment
	output, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	said := make([]byte, 0, 1<<16)
	for !strings.Contains(string(said), "Ready") {
		n, err := output.Read(said[len(said):cap(said)])
		said = said[:len(said)+n]
		if err != nil {
			t.Fatalf("next start: %v\n%s", err, said)
		}
	}
	go io.Copy(io.Discard, output)
	return base, folder
}

// copyProject copies a project's folder without what is installed and built in it.
func copyProject(t *testing.T, from, to string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", `mkdir "$2" && cd "$1" && tar -c --exclude=./node_modules --exclude=./.next --exclude=./dist --exclude='./*.tgz' . | tar -x -C "$2"`, "-", from, to)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// to goes to an address of the starter.
func (p *tab) to(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.base + path))
}

// at waits until the address of the page begins with a path.
func (p *tab) at(path string) {
	p.t.Helper()
	p.await("the page "+path, "location.pathname.startsWith("+quoted(path)+")")
}

// wantFits fails the test if the page is wider than a phone.
func (p *tab) wantFits(name, axe string) {
	p.t.Helper()
	p.await("a title", "document.title")
	p.resize(360, 800, false)
	if wide := eval[int](p, "document.documentElement.scrollWidth"); wide > 360 {
		p.t.Errorf("%s is %d pixels wide on a phone of 360", name, wide)
	}
	p.wantAccessible(name, axe)
	p.resize(1100, 900, false)
}

// A shopper of the starter finds products, fills a cart, sees it follow in a second tab, uses codes, checks
// out on three pages, lets a payment fail, and pays. Then the shopper cancels an order, logs in and signs a quote.
func TestLongStarter(t *testing.T) {
	base, folder := starter(t)
	axe := axeCore(t)
	v := visit(t, base)
	p := v.open("")
	p.within = "document.body"

	p.sees("Northwind Blinds", "Blinds", "Roller blind", "from €53.00")
	p.wantFits("home", axe)
	p.press("Tools")
	p.at("/c/tools")
	p.sees("Cordless drill, 18 V")
	p.press("Filter")
	p.press("Battery")
	p.wantFits("a list", axe)
	p.script(`document.querySelector(".list form").requestSubmit()`)
	p.await("the filter in the address", `location.search.includes("a.Power=Battery")`)
	p.sees("1 products")
	p.press("Cordless drill, 18 V")
	p.at("/p/cordless-drill-18v")
	p.wantFits("a product", axe)
	p.choose("Version", "With two batteries, €179.00")
	p.fill("Quantity", "1.5")
	p.press("Add to cart")
	p.sees("A whole number, please.")
	p.fill("Quantity", "1")
	p.press("Add to cart")
	p.sees("Added to your cart.", "Cart 1")

	p.to("/p/enamel-mug-engraved")
	p.fill("Engraving", "Ada")
	p.press("Add to cart")
	p.sees("Added to your cart.", "Cart 2")

	p.to("/p/roller-blind")
	p.fill("Width, mm (400–3000)", "9000")
	p.fill("Height, mm (400–2500)", "1500")
	p.press("Blackout")
	p.press("Night blue, lightproof")
	p.press("On the wall")
	p.press("Ball chain")
	p.sees("Width can be at most 3000 mm.")
	p.fill("Width, mm (400–3000)", "1200")
	p.sees("Price: €112.35")
	p.wantFits("a product made to measure", axe)
	p.press("Add to cart")
	p.sees("Added to your cart.", "Cart 3")

	p.to("/cart")
	p.sees("Engraving: Ada", "With two batteries", "€306.30")
	p.wantFits("the cart", axe)
	second := v.open("cart")
	second.within = "document.body"
	second.sees("€306.30")
	p.press("Remove: Enamel mug, engraved")
	p.sees("€291.35")
	second.sees("€291.35")
	p.codes()
	p.press("Nederlands")
	p.sees("Naar de kassa")
	p.press("English")
	p.sees("To the checkout")

	p.checkOut(axe)
	p.sees("Pay order 1")
	p.wantFits("the provider", axe)
	p.press("Let the payment fail")
	p.at("/thanks/")
	p.sees("Your order has number 1.", "The payment has failed.", "Please pay before", "Cart 0")
	p.wantFits("an unpaid order", axe)
	p.press("Pay now")
	p.at("/pay/")
	p.press("Pay now")
	p.at("/thanks/")
	p.sees("placed, paid")
	p.seesNot("Pay now")

	p.to("/p/spirit-level")
	p.press("Add to cart")
	p.sees("Cart 1")
	p.checkOut(axe)
	p.press("Let the payment fail")
	p.press("Cancel the order")
	p.sees("cancelled")
	p.seesNot("Pay now")
	p.seesNot("not paid yet")

	p.account(axe)
	second.wantNoFaults()
	p.wantNoFaults()
	wantStarterPages(t, base)
	wantNoSecrets(t, folder)
}

// codes tries codes: a wrong one with its reason, and two that go together, removed one by one.
func (p *tab) codes() {
	p.t.Helper()
	for _, code := range []string{"SUMMER25", "WELCOME10", "SHIP3"} {
		p.fill("Discount code", code)
		p.press("Apply")
		p.sees(code)
	}
	p.sees("is not valid now", "−€10.00")
	for _, code := range []string{"SUMMER25", "SHIP3"} {
		p.press("Remove: " + code)
		p.await("the end of the code", "!document.querySelector('.codes').innerText.includes("+quoted(code)+")")
	}
	p.sees("WELCOME10")
}

// checkOut goes through the three pages, which survive a reload.
func (p *tab) checkOut(axe string) {
	p.t.Helper()
	p.to("/cart")
	p.press("To the checkout")
	p.at("/checkout/address")
	p.fill("E-mail", "grace@")
	p.press("Continue")
	p.sees("E-mail must be an address like name@example.com.", "Name is required.")
	p.fill("E-mail", "grace@example.com")
	p.fill("Name", "Grace Hopper")
	p.fill("Street and number", "Havenkade 3")
	p.fill("Postal code", "1011 AB")
	p.fill("City", "Amsterdam")
	p.choose("Country", "Netherlands")
	p.wantFits("the address", axe)
	p.press("Continue")
	p.at("/checkout/delivery")
	p.press("Parcel")
	p.wantFits("the delivery", axe)
	p.press("Continue")
	p.at("/checkout/review")
	p.reload()
	p.sees("Grace Hopper", "Havenkade 3", "grace@example.com", "Parcel")
	p.wantFits("the review", axe)
	p.press("Order and pay")
	p.at("/pay/")
}

// account logs in, asks for a quote and signs it.
func (p *tab) account(axe string) {
	p.t.Helper()
	p.to("/account")
	p.wantFits("log in", axe)
	p.script(`(() => { const [form] = document.querySelectorAll("main form"); form.email.value = "ada@example.com"; form.password.value = "wrong"; form.requestSubmit(); })()`)
	p.sees("E-mail and password do not belong together.")
	p.script(`(() => { const [form] = document.querySelectorAll("main form"); form.password.value = "northwind-ada"; form.requestSubmit(); })()`)
	p.sees("Ada", "Orders", "None yet.")
	p.to("/p/fitting")
	p.fill("Quantity", "90")
	p.press("Add to cart")
	p.sees("Cart 1")
	p.to("/cart")
	p.sees("This cart is sold by quote.")
	p.fill("Name", "Ada Lovelace")
	p.script(`[...document.querySelectorAll("main form")].at(-1).requestSubmit()`)
	p.at("/quotes/")
	p.sees("Quote 1", "Ada Lovelace: open. Valid until", "€5,310.00")
	p.wantFits("a quote", axe)
	p.fill("Name of the signer", "Ada Lovelace")
	p.script(`document.querySelector("canvas").setAttribute("aria-label", "Signature")`)
	p.draw("Signature")
	p.press("Accept and order")
	p.at("/pay/")
	p.press("Pay now")
	p.at("/thanks/")
	p.sees("placed, paid")
	p.to("/account")
	p.sees("Order 3", "Quote 1", "accepted")
	p.wantFits("the account", axe)
	p.press("Log out")
	p.sees("Create an account")
}

// wantStarterPages reads what search engines and old links find.
func wantStarterPages(t *testing.T, base string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, one := range []struct {
		path   string
		status int
		has    []string
	}{
		{"/p/roller-blind", 200, []string{`"@type":"Product"`, `rel="canonical" href="` + base + `/p/roller-blind"`, `property="og:title" content="Roller blind"`}},
		{"/c/blinds", 200, []string{`"@type":"BreadcrumbList"`, `rel="canonical" href="` + base + `/c/blinds"`}},
		{"/sitemap.xml", 200, []string{"<loc>" + base + "/p/roller-blind</loc>", "<loc>" + base + "/c/blinds</loc>"}},
		{"/robots.txt", 200, []string{"Disallow: /checkout/", "Sitemap: " + base + "/sitemap.xml"}},
		{"/rolgordijnen", 308, nil},
		{"/sale", 307, nil},
		{"/products/roller-blind", 308, nil},
		{"/p/nothing", 404, []string{"There is no such page."}},
		{"/no/such/page", 404, []string{"There is no such page."}},
	} {
		response, err := client.Get(base + one.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != one.status {
			t.Errorf("GET %s: %d %v, want %d", one.path, response.StatusCode, err, one.status)
		}
		for _, text := range one.has {
			if !strings.Contains(string(body), text) {
				t.Errorf("GET %s has no %s", one.path, text)
			}
		}
	}
}

// wantNoSecrets fails the test if a script for browsers has a key.
func wantNoSecrets(t *testing.T, folder string) {
	t.Helper()
	scripts := 0
	err := filepath.WalkDir(filepath.Join(folder, ".next/static"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := os.ReadFile(path)
		scripts++
		for _, secret := range []string{"demo-storefront-key", "demo-merchant-key", "X-Customer-Token"} {
			if strings.Contains(string(source), secret) {
				t.Errorf("%s has %s, which only the server may know", path, secret)
			}
		}
		return err
	})
	if err != nil || scripts == 0 {
		t.Fatalf("%d scripts, %v", scripts, err)
	}
}
