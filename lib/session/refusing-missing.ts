import { NotSupportedError } from "./errors";

/** The same object, on which calling one of `methods` that it lacks throws `NotSupportedError` by name. */
export function refusingMissing<Port extends object>(
  port: Port,
  methods: Readonly<Partial<Record<keyof Port, true>>>,
): Port {
  const missing = Object.keys(methods).filter((name) => !isFunction(Reflect.get(port, name)));
  if (missing.length === 0) return port;
  return new Proxy(port, {
    get(target, name) {
      const lacked = missing.find((each) => each === name);
      if (lacked === undefined) return Reflect.get(target, name, target);
      return () => {
        throw new NotSupportedError(lacked);
      };
    },
  });
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
