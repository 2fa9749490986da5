import { expect, test } from "vitest";
import { asPerson, localPersonId } from "@/lib/chat/core/person-in-space";
import { assertMayReach } from "./reachable-address";

const signedIn = (role: "owner" | "admin" | "member") => ({
  personId: asPerson("o"),
  person: {
    userId: "u",
    name: "Ada",
    personId: asPerson("o"),
    sessionId: "s",
    updatedAt: new Date(),
    deletesAt: null,
    isEnding: false,
    confirmedAt: new Date(),
    role,
  },
});

const inside = [
  "http://127.0.0.1:11434/v1",
  "http://localhost:8080",
  "https://192.168.1.4",
  "http://[::1]:8080/",
  "http://169.254.169.254/latest",
  "http://2130706433/",
];

test.each(inside)("a member cannot enter %s", async (address) => {
  await expect(assertMayReach(signedIn("member"), address)).rejects.toThrow(
    /is not a public address\. Only administrators/,
  );
});

test.each(inside)(
  "an administrator, and a Grove without accounts, can enter %s",
  async (address) => {
    await assertMayReach(signedIn("admin"), address);
    await assertMayReach(signedIn("owner"), address);
    await assertMayReach({ personId: localPersonId, person: null }, address);
  },
);

test("a member can enter a public address, or none", async () => {
  await assertMayReach(signedIn("member"), "https://1.1.1.1/v1");
  await assertMayReach(signedIn("member"), null);
});
