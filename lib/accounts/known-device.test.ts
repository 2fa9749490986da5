import { expect, test } from "vitest";
import { knownDevice, rememberDevice } from "./known-device";
import { emailOfPendingCode, pendingCode } from "./pending-code";

const device = { name: "device", secret: "a secret", isSecure: true };
const sent = (...cookies: string[]) =>
  new Headers({ cookie: cookies.map((each) => each.split(";", 1)[0]).join("; ") });

test("a device is known to the accounts that signed in there, four at most, and to no other", () => {
  let cookie = "device=";
  for (const account of ["a", "b", "c", "d", "e"])
    cookie = rememberDevice(sent(cookie), account, device);
  const known = (account: string, from = cookie) => knownDevice(sent(from), account, device);
  expect(["a", "b", "c", "d", "e"].map((account) => known(account) !== null)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(known("e", rememberDevice(sent(cookie), "e", device))).toBe(known("e"));
  for (const forged of ["device=", "device=x.y", "device=~~", "device=.", "other=1", "device=%E0"])
    expect(known("e", forged), forged).toBeNull();
  expect(knownDevice(sent(cookie), "e", { ...device, secret: "another" })).toBeNull();
});

test("a code counts for the address whose password came before, in the same sign-in alone", () => {
  const names = { step: "two_factor", own: "code_of", secret: "a secret", isSecure: true };
  const answerWith = (step: string) => {
    const answer = new Headers();
    answer.append("Set-Cookie", `two_factor=${step}; Path=/`);
    return answer;
  };
  const ada = pendingCode(answerWith("one"), "ada@example.org", names);
  const eve = pendingCode(answerWith("two"), "eve@example.org", names);
  expect(emailOfPendingCode(sent(ada, "two_factor=one"), names)).toBe("ada@example.org");
  // The password of one, and the code of another.
  expect(emailOfPendingCode(sent(eve, "two_factor=one"), names)).toBeNull();
  expect(emailOfPendingCode(sent(ada), names)).toBeNull();
  expect(emailOfPendingCode(sent("two_factor=one"), names)).toBeNull();
});
