import Link from "next/link";
import { texts } from "@/texts/texts";

export default async function NotFound() {
  const { word } = await texts();
  return (
    <>
      <h1>{word("not_found")}</h1>
      <p>
        <Link href="/">{word("home")}</Link>
      </p>
    </>
  );
}
