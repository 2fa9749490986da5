import { expect, it } from "vitest";
import { patientSql } from "@/lab/drill/testing/patient-sql";
import { runServers, sample } from "./servers";

const longestMs = 300_000;

it(
  "Every server of tools can be used as far as it can be understood",
  async () => {
    const { signal } = new AbortController();
    const options = { count: sample.length, seed: 1, signal, say: () => undefined };
    const { broken } = await runServers(await patientSql(), options, sample);
    expect(broken).toEqual([]);
  },
  longestMs,
);
