import { APICallError } from "ai";

/** A failure a person asks the demo model for, to see how failures look. */
export type DemoFault = {
  /** `start`: nothing arrives. `report`: the provider reports it midway. `break`: the connection ends midway. */
  readonly when: "start" | "report" | "break";
  error(): Error;
};

function answered(statusCode: number, message: string, headers: Record<string, string> = {}) {
  return () =>
    new APICallError({
      message,
      url: "demo:",
      requestBodyValues: undefined,
      statusCode,
      responseHeaders: headers,
      // Tried again at once it would only fail again, and the person waits to see it.
      isRetryable: false,
    });
}

const faults: readonly { asked: RegExp; fault: DemoFault }[] = [
  {
    asked: /rate.?limit|429/,
    fault: { when: "start", error: answered(429, "Rate limit reached", { "retry-after": "5" }) },
  },
  { asked: /key|401/, fault: { when: "start", error: answered(401, "Invalid API key") } },
  { asked: /overload|busy|529|503/, fault: { when: "start", error: answered(529, "Overloaded") } },
  { asked: /overflow|too long|full context/, fault: { when: "start", error: overflow } },
  {
    asked: /cut|disconnect|dropped|lost connection/,
    fault: { when: "break", error: () => new TypeError("terminated") },
  },
  {
    asked: /error|fail|fault/,
    fault: { when: "report", error: answered(500, "The demo model simulates a fault") },
  },
];

/** The failure that “simulate a …” asks for; `null` for any other question. */
export function faultOf(question: string): DemoFault | null {
  const text = question.trim().toLowerCase();
  const asked = /\bsimulate\b(.*)/s.exec(text)?.[1] ?? /^(?:fail|error)[.!]?$/.exec(text)?.[0];
  if (asked === undefined) return null;
  return faults.find((row) => row.asked.test(asked))?.fault ?? null;
}

/** What a real provider answers to a prompt that does not fit. */
export function overflow(): Error {
  return answered(400, "prompt is too long: context_length_exceeded")();
}
