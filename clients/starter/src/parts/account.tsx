import { texts } from "@/texts/texts";
import { Link } from "./link";

/** The pages of an account. */
export async function AccountMenu() {
  const { word } = await texts();
  const pages = {
    "/account": "overview",
    "/account/addresses": "addresses",
    "/account/profile": "profile",
    "/account/password": "change_password",
  } as const;
  return (
    <nav className="below" aria-label={word("account_pages")}>
      {Object.entries(pages).map(([path, name]) => (
        <Link key={path} href={path}>
          {word(name)}
        </Link>
      ))}
    </nav>
  );
}
