{{- define "aerie.name" -}}
{{- if contains "aerie" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-aerie" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "aerie.selector" -}}
app.kubernetes.io/name: aerie
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "aerie.labels" -}}
{{ include "aerie.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "aerie.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* A table of the configuration as TOML: its own keys first, then the tables in it. JSON values are TOML values. */}}
{{- define "aerie.toml" -}}
{{- $path := .path }}
{{- range $key, $value := .table }}
{{- if not (kindIs "map" $value) }}
{{ $key }} = {{ $value | toJson }}
{{- end }}
{{- end }}
{{- range $key, $value := .table }}
{{- if kindIs "map" $value }}
{{- $inner := append $path $key }}

[{{ join "." $inner }}]
{{- include "aerie.toml" (dict "path" $inner "table" $value) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "aerie.env" -}}
{{- if .Values.database.authority.name }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: {name: {{ .Values.database.secret.name | quote }}, key: {{ .Values.database.secret.key | quote }}}
- name: AERIE_STORE_URL
  value: "$(DATABASE_URL)?sslrootcert=/etc/aerie-database/{{ .Values.database.authority.key }}"
{{- else }}
- name: AERIE_STORE_URL
  valueFrom:
    secretKeyRef: {name: {{ .Values.database.secret.name | quote }}, key: {{ .Values.database.secret.key | quote }}}
{{- end }}
{{- if .Values.linkSecret.name }}
- name: AERIE_LINK_SECRET
  valueFrom:
    secretKeyRef: {name: {{ .Values.linkSecret.name | quote }}, key: {{ .Values.linkSecret.key | quote }}}
{{- end }}
{{- if .Values.storageSecret.name }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef: {name: {{ .Values.storageSecret.name | quote }}, key: {{ .Values.storageSecret.accessKeyId | quote }}}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef: {name: {{ .Values.storageSecret.name | quote }}, key: {{ .Values.storageSecret.secretAccessKey | quote }}}
{{- end }}
{{- end }}

{{/* What the pods of all roles share: root (the context), selector (labels of the role). */}}
{{- define "aerie.pod" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
serviceAccountName: {{ include "aerie.name" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
topologySpreadConstraints:
  {{- range $key, $skew := dict "kubernetes.io/hostname" 1 "topology.kubernetes.io/zone" 1 }}
  - maxSkew: {{ $skew }}
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ $.selector | nindent 8 }}
  {{- end }}
volumes:
  - name: config
    configMap: {name: {{ include "aerie.name" .root }}}
  # Cache and work folders: nothing in them is missed after a restart.
  - name: data
    emptyDir: {sizeLimit: {{ index .pod.resources.limits "ephemeral-storage" | default "20Gi" }}}
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
  {{- with .root.Values.database.authority }}
  {{- if .name }}
  - name: database
    secret:
      secretName: {{ .name | quote }}
      items: [{key: {{ .key | quote }}, path: {{ .key | quote }}}]
  {{- end }}
  {{- end }}
{{- with .pod.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "aerie.container" -}}
image: {{ include "aerie.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  {{- include "aerie.env" .root | nindent 2 }}
  {{- with .pod.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources: {{ toYaml .pod.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: config, mountPath: /etc/aerie, readOnly: true}
  - {name: data, mountPath: /var/lib/aerie}
  - {name: tmp, mountPath: /tmp}
  {{- if .root.Values.database.authority.name }}
  - {name: database, mountPath: /etc/aerie-database, readOnly: true}
  {{- end }}
# The first node of a new version migrates the database before it listens.
startupProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 300
livenessProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 1
{{- end }}
