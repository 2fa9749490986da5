import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RemovedAccount } from "@/app/_features/accounts/removed-account";
import { identity } from "@/app/identity";

export const metadata: Metadata = { title: "Account removed" };

export default async function RemovedPage() {
  const deletesAt = (await identity())?.person?.deletesAt;
  if (!deletesAt) redirect("/");
  return <RemovedAccount deletesAt={deletesAt} />;
}
