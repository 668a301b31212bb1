// Builds dist/: the sources as ES modules and as CommonJS, each with its types.
// A package.json beside each tells run times which of the two they are.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

const formats = {
  esm: { type: "module", flags: [] },
  cjs: {
    type: "commonjs",
    flags: ["--module", "commonjs", "--moduleResolution", "node10", "--verbatimModuleSyntax", "false"],
  },
};

checkVersion();
rmSync(`${root}dist`, { recursive: true, force: true });
for (const [name, { type, flags }] of Object.entries(formats)) {
  compile(["-p", root, "--outDir", `${root}dist/${name}`, ...flags]);
  mkdirSync(`${root}dist/${name}`, { recursive: true });
  writeFileSync(`${root}dist/${name}/package.json`, JSON.stringify({ type, sideEffects: false }) + "\n");
}

function compile(flags) {
  const { status } = spawnSync(process.execPath, [tsc, ...flags], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// The version that requests name in User-Agent is written in the sources, so
// that the package needs no file at run time.
function checkVersion() {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  if (!readFileSync(`${root}src/version.ts`, "utf8").includes(`"${version}"`)) {
    console.error(`src/version.ts and package.json name different versions; package.json says ${version}`);
    process.exit(1);
  }
}
