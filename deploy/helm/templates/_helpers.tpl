{{- define "cartd.labels" -}}
app.kubernetes.io/name: cartd
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "cartd.selector" -}}
app.kubernetes.io/name: cartd
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end -}}

{{- define "cartd.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "cartd.secret" -}}
{{- if .Values.redis.url }}{{ .Release.Name }}-redis{{ else }}{{ required "redis.existingSecret or redis.url is needed" .Values.redis.existingSecret }}{{ end -}}
{{- end -}}

{{- define "cartd.secretKey" -}}
{{- if .Values.redis.url }}redis-url{{ else }}{{ .Values.redis.secretKey }}{{ end -}}
{{- end -}}

{{- define "cartd.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "cartd.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end -}}
