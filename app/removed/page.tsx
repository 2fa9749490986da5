import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { RemovedAccount } from "@/app/_features/accounts/removed-account";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Account removed" };

export default async function RemovedPage() {
  const identity = await services().identify(await headers());
  const deletesAt = identity?.person?.deletesAt;
  if (!deletesAt) redirect("/");
  return <RemovedAccount deletesAt={deletesAt} />;
}
