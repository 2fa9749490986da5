/** A branch shows when it holds the target; what follows in the chain it left hides then. */
export const pageStyle = `
:root{color-scheme:light dark;--paper:light-dark(#faf8f3,#1c1a17);--raised:light-dark(#f1ede4,#26231f);
--ink:light-dark(#25221c,#ece7dc);--muted:light-dark(#5c564a,#b8b0a1);--line:light-dark(#e3ddcf,#37322b);
--accent:light-dark(#2a6741,#86c596)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:2rem 1rem 6rem;background:var(--paper);color:var(--ink);
font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.5rem;line-height:1.3}header{border-bottom:1px solid var(--line);margin-bottom:1.5rem;padding-bottom:1rem}
header p,.file,nav,summary{color:var(--muted);font-size:.875rem}header p{margin:.25rem 0}
a{color:var(--accent)}header ul{padding-inline-start:1.25rem}
article{margin:1.25rem 0;scroll-margin-top:1rem}article:empty{margin:0}
article h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
article.user .said{margin:0 0 0 auto;width:fit-content;max-width:85%;padding:.625rem 1rem;border-radius:1.125rem;
background:var(--raised);white-space:pre-wrap}
article.user .file,article.user nav{text-align:end}
nav a,nav span{display:inline-block;min-width:1.5rem;padding:0 .375rem;text-align:center;text-decoration:none}
img{max-width:100%;height:auto;border-radius:.75rem}
pre{overflow-x:auto;padding:.875rem 1rem;border-radius:.75rem;background:var(--raised);font-size:.875rem;line-height:1.5}
code{font-family:ui-monospace,monospace;font-size:.9em}pre code{font-size:inherit}
blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--muted)}
.table{overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem}th,td{border:1px solid var(--line);padding:.375rem .75rem}
math[display=block]{overflow-x:auto;padding:.25rem 0}
details{margin:.75rem 0}summary{cursor:pointer}details>.text{padding-inline-start:1rem;border-inline-start:2px solid var(--line)}
details pre{max-height:24rem;overflow:auto}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.branch{display:none}.branch:has(:target){display:block}.branch:has(:target)~*{display:none}
@media print{body{max-width:none;padding:0}nav,header details{display:none}}
`;
