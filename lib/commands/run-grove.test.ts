import { expect, test } from "vitest";
import { serverEnvironment } from "./run-grove";

const parts = {
  settings: {
    port: 3000,
    host: "127.0.0.1",
    dataDir: "/srv/grove",
    dataDirGiven: true,
    databaseUrl: null,
    directUrl: null,
    drainSeconds: 10,
    origin: null,
  },
  database: { url: "postgres://grove@127.0.0.1/grove" },
};

test.each(["production", "development"] as const)(
  "a server in %s never takes its test owners from the environment",
  (mode) => {
    const environment = { GROVE_TEST_OWNERS: "1" };
    expect(serverEnvironment({ environment, mode }, parts)).toMatchObject({
      GROVE_TEST_OWNERS: "",
    });
  },
);
