import { strToU8, Zip, ZipDeflate } from 'fflate';

/** How many files are packed before the page gets a turn. */
const atOnce = 100;

/** Packs texts by their path into a ZIP archive, in turns so that the page stays alive. */
export async function zipped(files: ReadonlyMap<string, string>): Promise<Blob> {
  const chunks: BlobPart[] = [];
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(new Uint8Array(chunk));
  });
  let packed = 0;
  for (const [path, text] of files) {
    const file = new ZipDeflate(path);
    archive.add(file);
    file.push(strToU8(text), true);
    if (++packed % atOnce === 0) await new Promise((turn) => setTimeout(turn));
  }
  archive.end();
  return new Blob(chunks, { type: 'application/zip' });
}
