import { expect, it } from "vitest";
import { patientSql } from "@/lib/drill/testing/patient-sql";
import { quickPlaces, runServers } from "./servers";

const longestMs = 300_000;

it(
  "Every server of tools can be used as far as it can be understood",
  async () => {
    const { signal } = new AbortController();
    const options = { count: quickPlaces, seed: 1, signal, say: () => undefined, isQuick: true };
    const { broken } = await runServers(await patientSql(), options);
    expect(broken).toEqual([]);
  },
  longestMs,
);
