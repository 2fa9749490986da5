import { Button } from "@/app/_ui/button";

export interface ImportProblemsProps {
  problems: readonly string[];
  onClose: () => void;
}

export function ImportProblems({ problems, onClose }: ImportProblemsProps) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-lg bg-danger-soft px-3.5 py-2.5 text-danger text-sm"
    >
      <ul className="flex min-w-0 flex-1 flex-col gap-1 [overflow-wrap:anywhere]">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <Button size="sm" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
