import { afterEach, vi } from "vitest";

/**
 * Vitest ends stubs before the next test, which may be of another file: there, ending them would set this file's
 * environment. A clock that a failed test has set would run on in that file, too.
 */
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
