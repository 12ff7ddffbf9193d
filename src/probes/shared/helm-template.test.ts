import { expect, test } from 'vitest';
import { stripTemplate } from './helm-template.ts';

const strip = (...lines: string[]) => stripTemplate(lines.join('\n')).yaml.split('\n');

test('values become the word templated, control lines disappear, the first branch stays', () => {
  expect(
    strip(
      '{{- if .Values.enabled }}',
      'kind: Deployment',
      'metadata:',
      '  name: {{ include "x.fullname" . }}',
      '  labels:',
      '    {{- include "x.labels" . | nindent 4 }}',
      'spec:',
      '  {{- if .Values.autoscaling }}',
      '  replicas: 1',
      '  {{- else }}',
      '  replicas: 2',
      '  {{- end }}',
      '  image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"',
      '{{- end }}',
    ),
  ).toEqual([
    'kind: Deployment',
    'metadata:',
    '  name: templated',
    '  labels:',
    'spec:',
    '  replicas: 1',
    '  image: "templated:templated"',
  ]);
});

test('comments over lines, assignments and defined functions are left out', () => {
  expect(
    strip(
      '{{/* a',
      'comment }} */}}',
      '{{ $x := 1 }}',
      '{{- define "f" -}}',
      'a: b',
      '{{ if 1 }}c: d{{ end }}',
      '{{- end -}}',
      'e: f',
    ),
  ).toEqual(['e: f']);
});

test('inline branches, keys and list items', () => {
  expect(strip('a: {{ if .x }}1{{ else }}2{{ end }}', '{{ .key }}-b: 3', '- {{ . }}', '{{ .only }}')).toEqual([
    'a: 1',
    'templated-b: 3',
    '- templated',
  ]);
});

test('text without actions is as it was', () => {
  expect(stripTemplate('a: 1\n\nb: 2\n')).toEqual({ yaml: 'a: 1\n\nb: 2\n', hadActions: false });
});

test('G16 unbalanced and unterminated actions end, in linear time', () => {
  expect(strip('a: 1', '{{ end }}', 'b: 2', '{{ open')).toEqual(['a: 1', 'b: 2', '']);
  expect(strip('{{ if x }}'.repeat(100_000), 'a: 1')).toEqual(['a: 1']);
  expect(strip('{{ define "x" }}'.repeat(100_000), 'a: 1').join('')).toBe('');
  expect(stripTemplate('{{/*'.repeat(100_000)).hadActions).toBe(false);
});
