/**
 * What the API server will refuse about an ApplyConfiguration when it runs, as far as its `Object` literals show it: atomic
 * parts, undeclared fields, type names that are not the field's path, map literals as items of keyed lists. Only
 * warnings, and only what every kind that the policy's rules reach refuses.
 */
import { type Expr, parse } from '#cel';
import { at, type Diagnostic } from '#diagnostics';
import { type FieldPath, goQuote, nearest } from '#kubernetes';
import { lookup, type MergeNode, type MergeSchema } from '#merge';
import type { CompiledCustomResource, CompiledMutatingPolicy } from '../compiled.ts';
import type { PolicyDocument } from './document.ts';
import { mutatedKinds } from './mutated-kinds.ts';

interface Finding {
  readonly code: 'atomic-part' | 'undeclared-field' | 'type-mismatch' | 'literal-item';
  readonly message: string;
  readonly help?: string;
  /** Of the literal's field. */
  readonly offset: number;
}

/** Subresources whose objects are of the resource's own kind. */
const OWN_KIND: ReadonlySet<string> = new Set(['*', 'approval', 'ephemeralcontainers', 'finalize', 'resize', 'status']);

export function configurationWarnings(
  document: PolicyDocument,
  policy: CompiledMutatingPolicy,
  schema: MergeSchema,
  customResources: readonly CompiledCustomResource[],
): readonly Diagnostic[] {
  const roots = rootsOf(policy, schema, customResources);
  if (roots.length === 0) return [];
  return policy.mutations.flatMap(({ patchType, expression }, index) => {
    if (patchType !== 'ApplyConfiguration' || !expression || 'error' in expression) return [];
    const path = ['spec', 'mutations', index, 'applyConfiguration', 'expression'];
    return findings(expression.source, roots).map((finding) => diagnostic(document, path, finding));
  });
}

/** The schemas of the kinds that the rules reach; none where one of them is not known. */
function rootsOf(
  policy: CompiledMutatingPolicy,
  schema: MergeSchema,
  customResources: readonly CompiledCustomResource[],
): readonly MergeNode[] {
  const entries = (policy.matchConstraints?.resourceRules ?? []).flatMap(({ resources }) => resources ?? []);
  if (entries.some((entry) => entry.includes('/') && !OWN_KIND.has(entry.slice(entry.indexOf('/') + 1)))) return [];
  const kinds = mutatedKinds([policy], customResources).filter(({ kind }) => kind !== '');
  const roots = kinds.map(({ apiVersion, kind }) => lookup(schema, apiVersion, kind));
  return roots.every((found) => found.kind === 'found') ? roots.map(({ node }) => node) : [];
}

function findings(source: string, roots: readonly MergeNode[]): readonly Finding[] {
  const parsed = parse(source);
  if (!('parsed' in parsed)) return [];
  const { expr, offsets } = parsed.parsed;
  const [first = [], ...others] = roots.map((root) => {
    const found: Finding[] = [];
    eachObject(expr, (literal) => walkStruct(literal, root, { path: 'Object', seen: true, offsets, found }));
    return found;
  });
  const same = (a: Finding, b: Finding): boolean => a.offset === b.offset && a.message === b.message;
  return first.filter((finding) => others.every((list) => list.some((other) => same(other, finding))));
}

function diagnostic(document: PolicyDocument, path: FieldPath, { code, message, help, offset }: Finding): Diagnostic {
  const text = document.text(path);
  const span = text ? at(text, offset) : document.span(path);
  return { severity: 'warning', code, message, span, ...(help === undefined ? {} : { help }) };
}

type Struct = Extract<Expr, { kind: 'struct' }>;

/** The outermost `Object` literals of an expression, wherever they stand. */
function eachObject(expr: Expr, visit: (literal: Struct) => void): void {
  switch (expr.kind) {
    case 'struct':
      if (expr.type === 'Object') visit(expr);
      return;
    case 'call':
      if (expr.target) eachObject(expr.target, visit);
      for (const argument of expr.args) eachObject(argument, visit);
      return;
    default:
      return;
  }
}

interface Place {
  /** The type name that belongs here, which is the path as well. */
  readonly path: string;
  /** Whether the API server looks for atomic parts here: it does not below the values of maps. */
  readonly seen: boolean;
  readonly offsets: ReadonlyMap<number, number>;
  readonly found: Finding[];
}

function walkStruct(literal: Struct, node: MergeNode, place: Place): void {
  if (literal.type !== place.path) {
    report(
      place,
      literal.id,
      'type-mismatch',
      `type name ${goQuote(literal.type)} where the path is ${goQuote(place.path)}`,
    );
    return;
  }
  if (!node.map) return;
  if (node.map.atomic && place.seen) {
    atomic(place, literal.id, 'structure');
    return;
  }
  for (const field of literal.fields) {
    if (place.path === 'Object' && (field.name === 'apiVersion' || field.name === 'kind')) continue;
    const declared = node.map.fields.get(field.name);
    const child = declared ?? node.map.other;
    const here = { ...place, path: `${place.path}.${field.name}`, seen: place.seen && declared !== undefined };
    if (!child) undeclared(here, field.id, field.name, node);
    else if (!field.optional) walkValue(field.value, child, here);
  }
}

function walkValue(value: Expr, node: MergeNode, place: Place): void {
  switch (value.kind) {
    case 'struct':
      walkStruct(value, node, place);
      return;
    case 'list':
      walkList(value.elements, value.id, node, place);
      return;
    case 'map':
      if (node.map?.atomic && place.seen) atomic(place, value.id, 'map');
      return;
    case 'call':
      if (value.name === '_?_:_') for (const branch of value.args.slice(1)) walkValue(branch, node, place);
      else if (value.name === '_+_' && isAtomicList(node) && place.seen) atomic(place, value.id, 'list');
      return;
    default:
      return;
  }
}

function walkList(elements: readonly Expr[], id: number, node: MergeNode, place: Place): void {
  if (!node.list) return;
  if (isAtomicList(node) && place.seen) {
    atomic(place, id, 'list');
    return;
  }
  const keyed = Array.isArray(node.list.keys);
  for (const element of elements) {
    if (element.kind === 'struct') walkStruct(element, node.list.item, place);
    else if (element.kind === 'map' && keyed) {
      const help = `write ${place.path}{…}`;
      report(place, element.id, 'literal-item', `${fieldPath(place)} takes no map literals as items`, help);
    }
  }
}

function isAtomicList({ list }: MergeNode): boolean {
  return list?.keys === 'atomic';
}

function atomic(place: Place, id: number, what: 'list' | 'map' | 'structure'): void {
  const message = `${fieldPath(place)} is an atomic ${what}: ApplyConfiguration may not set it`;
  report(place, id, 'atomic-part', message, 'use a mutation of patchType JSONPatch for it');
}

function undeclared(place: Place, id: number, name: string, { map }: MergeNode): void {
  const near = nearest(name, [...(map?.fields.keys() ?? [])]);
  const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
  report(place, id, 'undeclared-field', `${fieldPath(place)} is not declared in the schema`, help);
}

function fieldPath({ path }: Place): string {
  return `\`${path.slice('Object'.length)}\``;
}

function report({ offsets, found }: Place, id: number, code: Finding['code'], message: string, help?: string): void {
  found.push({ code, message, offset: offsets.get(id) ?? 0, ...(help === undefined ? {} : { help }) });
}
