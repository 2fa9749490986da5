import { describe, expect, test } from "vitest";
import { isPlainHttp, readAccounts } from "./environment";

describe("accounts", () => {
  test("are off without an address", () => {
    expect(readAccounts({})).toBeNull();
    expect(readAccounts({ GROVE_ORIGIN: " " })).toBeNull();
  });

  test.each([
    ["https://Grove.Example", "https://grove.example"],
    ["https://grove.example:8443/", "https://grove.example:8443"],
    ["http://192.168.1.20:3000", "http://192.168.1.20:3000"],
    ["http://100.64.0.1", "http://100.64.0.1"],
    ["http://[fd00::1]:3000", "http://[fd00::1]:3000"],
    ["http://nas:3000", "http://nas:3000"],
    ["http://grove.local", "http://grove.local"],
  ])("are on at %s", (GROVE_ORIGIN, origin) => {
    expect(readAccounts({ GROVE_ORIGIN })).toEqual({ origin, providers: [] });
  });

  test.each([
    "grove.example",
    "ftp://grove.example",
    "https://grove.example/path",
    "https://me@grove.example",
    "http://grove.example",
    "http://8.8.8.8",
    "http://172.32.0.1",
  ])("refuse the address %s", (GROVE_ORIGIN) => {
    expect(() => readAccounts({ GROVE_ORIGIN })).toThrow("GROVE_ORIGIN");
  });

  test("say which address is unencrypted", () => {
    expect(isPlainHttp("http://nas:3000")).toBe(true);
    expect(isPlainHttp("http://localhost:3000")).toBe(false);
    expect(isPlainHttp("https://grove.example")).toBe(false);
  });

  test("take up to three sign-in servers, over https", () => {
    const environment = {
      GROVE_ORIGIN: "https://grove.example",
      GROVE_OIDC_DISCOVERY_URL: "https://login.example/realms/home",
      GROVE_OIDC_CLIENT_ID: "grove",
      GROVE_OIDC_2_DISCOVERY_URL: "https://id.example/.well-known/openid-configuration",
      GROVE_OIDC_2_CLIENT_ID: "grove",
      GROVE_OIDC_2_NAME: "Work",
    };
    expect(readAccounts(environment)?.providers).toMatchObject([
      {
        id: "oidc",
        name: "login.example",
        discoveryUrl: "https://login.example/realms/home/.well-known/openid-configuration",
      },
      { id: "oidc-2", name: "Work", clientSecret: null },
    ]);
    expect(() =>
      readAccounts({ ...environment, GROVE_OIDC_DISCOVERY_URL: "http://login.example" }),
    ).toThrow("must be https");
    expect(() => readAccounts({ ...environment, GROVE_OIDC_CLIENT_ID: "" })).toThrow(
      "GROVE_OIDC_CLIENT_ID is missing.",
    );
  });
});
