import { defineConfig } from "drizzle-kit";

/** The library's migrations; `drizzle.app.config.ts` has the app's. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/postgres/schema/index.ts",
  out: "./drizzle",
});
