/** A drawing of the page as a file: with the colours it has now, and nothing that leads anywhere. */

const kept = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-family',
  'font-weight',
  'opacity',
];

export async function savePicture(drawing: SVGSVGElement, name: string, kind: 'svg' | 'png'): Promise<void> {
  const svg = new Blob([writeSvg(drawing)], { type: 'image/svg+xml' });
  save(kind === 'svg' ? svg : await paint(svg, drawing.clientWidth, drawing.clientHeight), `${name}.${kind}`);
}

/** What style sheets say is written out: a file has none. */
function writeSvg(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll('*')]);
  for (const [at, element] of (from ?? []).entries()) {
    const other = to?.[at];
    if (other === undefined) continue;
    const style = getComputedStyle(element);
    for (const property of kept) other.setAttribute(property, style.getPropertyValue(property));
    for (const attribute of ['class', 'href', 'tabindex', 'role', 'aria-label', 'aria-roledescription', 'data-at'])
      other.removeAttribute(attribute);
  }
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [attribute, value] of Object.entries({ width: '100%', height: '100%', fill: groundOf(drawing) }))
    ground.setAttribute(attribute, value);
  copy.prepend(ground);
  copy.setAttribute('width', String(drawing.clientWidth));
  copy.setAttribute('height', String(drawing.clientHeight));
  return new XMLSerializer().serializeToString(copy);
}

const groundOf = (drawing: Element): string => getComputedStyle(drawing).backgroundColor;

/** Twice as fine as the screen says. */
async function paint(svg: Blob, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * 2, height * 2];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (png === null) throw new Error('this browser cannot make a PNG of that size');
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then, and holds the bytes itself.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
