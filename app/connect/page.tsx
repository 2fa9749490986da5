import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConnectApp } from "@/app/_features/settings/connect-app";
import { identity } from "@/app/identity";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { placeOfApp } from "@/lib/server/app-requests";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Connect an app" };

interface ConnectPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectPage({ searchParams }: ConnectPageProps) {
  const { accounts, acting } = services();
  const asking = await identity();
  if (!accounts || !asking?.person) notFound();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams))
    for (const each of [value ?? []].flat()) query.append(name, each);
  const app = await accounts.apps.app(query.get("client_id") ?? "");
  const keyId = app && (await accounts.apps.keyOf(asking.person.userId, app.clientId));
  const owner = acting(inOwnSpace(asking.personId));
  const back = app?.redirectUris.find((each) => each === query.get("redirect_uri"));
  return (
    <ConnectApp
      app={app && back !== undefined ? { name: app.name, back: new URL(back).host } : null}
      query={query.toString()}
      {...(keyId && { place: await placeOfApp(owner, keyId) })}
    />
  );
}
