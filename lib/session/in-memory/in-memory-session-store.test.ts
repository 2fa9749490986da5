import {
  describeSearchBlock,
  describeSessionStore,
  describeSkillBlock,
  describeTreePrograms,
} from "../testing";
import { InMemorySearchProvider, InMemorySkillProvider } from "./in-memory-entries";
import { InMemorySessionStore } from "./in-memory-session-store";

describeSessionStore("InMemorySessionStore", () => new InMemorySessionStore());
describeSkillBlock("InMemorySkillProvider", () => new InMemorySkillProvider());
describeSearchBlock("InMemorySearchProvider", () => new InMemorySearchProvider());
// `npm run test:deep` asks for more.
const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

describeTreePrograms("InMemorySessionStore", () => new InMemorySessionStore(), {
  runs: 200 * deep,
  maxSteps: 25,
});
