import "katex/dist/katex.min.css";
import { createMathPlugin } from "@streamdown/math";

// Single dollars stay money.
export const math = createMathPlugin({ singleDollarTextMath: false, errorColor: "var(--danger)" });
