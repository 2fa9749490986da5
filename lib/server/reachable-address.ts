import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { AccountError } from "@/lib/accounts/account-error";
import { isPublicAddress } from "@/lib/chat/web/public-address";
import type { Identity } from "./owner-of";

/** The server reaches machines in its own network that members do not. `ownerFetch` checks each request again. */
export async function assertMayReach(
  { person }: Identity,
  address: string | null | undefined,
): Promise<void> {
  if (person?.role !== "member" || !address) return;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) ? [{ address: host }] : await addressesOf(host);
  if (found.length > 0 && found.every((each) => isPublicAddress(each.address))) return;
  throw new AccountError(
    "not-allowed",
    `${host} is not a public address. Only administrators of this Grove can enter addresses in its own network.`,
  );
}

function addressesOf(host: string): Promise<{ address: string }[]> {
  return lookup(host, { all: true }).catch(() => []);
}
