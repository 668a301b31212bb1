// The one part that needs a file system. It stands apart, as
// `@frontdesk/sdk/file`, so that nothing else mentions Node's modules.

import type { Reopenable } from "./upload.js";

/** A file on disk, opened when it is sent. */
export interface FileOnDisk extends Reopenable {
  readonly name: string;
}

interface FileHandle {
  read(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

interface FileSystem {
  open(path: string): Promise<FileHandle>;
}

const chunkBytes = 64 * 1024;

/**
 * fileFromPath names a file to be uploaded. It is read while it is sent, 64 KiB
 * at a time, and opened anew for each attempt.
 */
export function fileFromPath(path: string): FileOnDisk {
  return {
    name: path.split(/[\\/]/).pop() || path,
    stream: () => streamOf(path),
  };
}

function streamOf(path: string): ReadableStream<Uint8Array> {
  let handle: FileHandle | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        handle ??= await ((await import("node:fs/promises" as string)) as FileSystem).open(path);
        const buffer = new Uint8Array(chunkBytes);
        const { bytesRead } = await handle.read(buffer, 0, chunkBytes);
        if (bytesRead > 0) {
          controller.enqueue(buffer.subarray(0, bytesRead));
          return;
        }
        controller.close();
        await handle.close();
      },
      async cancel() {
        await handle?.close();
      },
    },
    { highWaterMark: 0 },
  );
}
