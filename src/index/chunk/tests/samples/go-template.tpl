{{/*
The name of the shop, at most 63 characters.
*/}}
{{- define "shop.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 -}}
{{- else -}}
{{ include "shop.name" . }}-{{ .Release.Name }}
{{- end -}}
{{- end }}

{{- /* Labels of all objects. */ -}}
{{- define "shop.labels" }}
app: {{ template "shop.fullname" . }}
{{- range $key, $value := .Values.labels }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{ define "header.html" }}<h1>{{ .Title }}</h1>{{ end }}
{{ template "header.html" . }}
{{ partial "cart.html" . }}
{{ block "main" . }}
  <p>{{ "define \"not.this\"" }}</p>
{{ end }}
