import { registerHooks } from "node:module";

/** Loaded before a program, makes it fail as soon as it asks for the framework of the app. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (/^(next|react|react-dom)(\/|$)/.test(specifier)) {
      throw new Error(`${specifier} is not for the library.`);
    }
    return nextResolve(specifier, context);
  },
});
