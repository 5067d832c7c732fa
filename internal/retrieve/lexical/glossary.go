package lexical

import (
	"slices"
	"strings"
)

// translatedWeight is what a word of the other language is worth beside the
// word itself.
const translatedWeight = 0.8

// glossary joins Spanish words of people who write and run software with the
// English ones, by the stems of each language and in both directions. Teams
// write in English and ask in Spanish, or the other way round. What has the
// same stem in both, such as configuración, need not stand here. One line is a
// Spanish word, or several of one meaning, and after the colon what they are in
// English.
//
//nolint:misspell // the left side is Spanish
var glossary = readGlossary(`
abrir: open
acceder acceso: access
aceptar: accept
actualizar actualización: update upgrade
administrador: administrator admin
advertencia aviso avisar: warning notice
agente: agent
ajuste: setting
alarma alerta: alert
alcance ámbito: scope
algoritmo: algorithm
alinear alineación: align alignment
almacén almacenar almacenamiento: storage store
alta: create
alojar: host
ámbito: scope
añadir agregar: add
anterior previo: previous
aplazar: defer
apagar: shutdown
aprendizaje: learning
aprobar aprobación: approve approval
árbol: tree
archivo fichero: file
archivar: archive
arrancar arranque: start boot
arreglar corregir: fix
asignar asignación: assign allocate allocation
atributo: attribute
auditar auditoría: audit
ausente: missing
autenticar autenticación: authentication auth authenticate
autorizar autorización: authorization authorize
balanceador: balancer
bandera marca: flag
barra: bar
base: base
biblioteca librería: library
bloquear bloqueo: lock block
borrador: draft
borrar eliminar quitar suprimir: delete remove
bucle: loop
búsqueda buscar: search find
caché: cache
cadena: string chain
caducar caducidad vencer vencimiento: expire expiration expiry
caja: box
calidad: quality
cambiar cambio: change
campo: field
canal: channel
capa: layer
carga: load
cargar: load
carpeta: folder directory
carrera: race
certificado certificar: certificate
ciclo: cycle lifecycle
cifrar cifrado: encryption encrypt
clase: class
clave llave: key
cliente: client customer
clúster: cluster
código: code
cola: queue
columna: column
comando orden: command
compilar compilación: compile build
complemento: plugin extension add-on
componente: component
comportamiento: behavior
comprobar comprobación: check verify
conectar conexión: connection connect
confirmar: confirm commit
conmutar: switch
consola: console
construir construcción: build
consulta consultar: query
contenedor: container
contenido: content
contraseña: password
contrato: contract
controlador: controller driver
convención: convention
copia: copy
copia respaldo: backup
correo: mail email
cortafuegos: firewall
coste costo: cost
credencial: credential
crear creación: create
cuenta: account
cuota: quota
datos dato: data
depender dependencia: dependency
depurar depuración: debug debugging
desactivar deshabilitar: disable
desarrollar desarrollo: development develop
descargar: download
desarrollador programador: developer
desplegar despliegue: deploy deployment
detener parar: stop
directiva política: policy
directorio: directory
diseño: design
disponibilidad disponible: availability available
disco: disk
dirección: address
documentación documento: documentation document
dominio: domain
duración: duration
ejecutar ejecución: run execute execution
ejemplo: example
emitir: issue emit
encaminar enrutar enrutado ruta: route routing path
encargo trabajo: job
enlace: link
enlazar: link
ensayo: test
entorno: environment
entrada: input entry
entregar entrega: delivery deliver
enviar envío: send
error fallo: error failure
fallar: fail failure
esquema: schema
escalar escalado: scale scaling
escribir escritura: write
espacio: space
espera: wait
estable: stable stability
estado: state status
estándar: standard
estático: static
estilo: style
estructura: structure
estructurado: structured
etapa fase: stage phase
etiqueta: label tag
evento: event
evitar impedir: avoid prevent
excepción: exception
exigir: require
expirar: expire
extensión: extension
extraer: extract
fecha: date
fiabilidad: reliability
fila: row
filtrar filtro: filter
firmar firma: sign signature signing
flujo: flow workflow stream
fondo: background
formato: format
fuente: source
función: function feature
fusionar fusión: merge
garantizar garantía: guarantee
gestionar gestión: manage management
gestor: manager
grafo gráfico: graph chart
guardar: save store
guía: guide
habilitar activar: enable
herencia: inheritance
herramienta: tool
hilo: thread
histórico historial: history
hoja: leaf sheet
imagen: image
implementar implementación: implementation
imprimir: print
índice: index
informar informe: report
ingreso: login
iniciar inicio: start
instalar instalación: install installation
instancia: instance
integración: integration
inteligente: smart
interfaz: interface
interno: internal
interrupción: interrupt interruption
inyección: injection
lectura leer: read
lenguaje idioma: language
lento: slow
liberar: release
límite limitar: limit
limpiar: clean
línea: line
lista: list
llamada llamar: call
lógica: logic
madurez: maturity
manejar: handle
manifiesto: manifest
mantener mantenimiento: maintain maintenance
máquina: machine
marco: framework
mejorar: improve
memoria: memory
mensaje: message
mensajería: messaging
método: method
métrica: metric
migrar migración: migration migrate
modelo: model
modo: mode
módulo: module
monitorizar supervisar: monitor monitoring
mover: move
muestra: sample
navegador: browser
negocio: business
nivel: level
nodo: node
nombrar nombre: name naming
norma regla: rule
notificar: notify
nube: cloud
núcleo: core kernel
nuevo: new
número: number
objeto: object
obsoleto: deprecated obsolete
obtener: get fetch
oculto: hidden
ocultar: hide
operador: operator
página: page
panel: panel dashboard
pantalla: screen
paquete: package
paralelo: parallel
parámetro: parameter
parche parchear: patch
pasarela: gateway
paso: step
patrón: pattern
pausar: pause suspend
pedido: order
pedir: request
pequeño: small
perfil: profile
permitir: allow
permiso: permission
persona: person
petición solicitud solicitar: request
plan: plan
planificar planificación planificador: scheduling schedule scheduler
plano: plane
plantilla: template
plataforma: platform
plazo: deadline
prefijo: prefix
pregunta: question
preferir: prefer
probar prueba: test testing
problema: problem issue
proceso: process
procesar: process
producción: production
programar: schedule
progreso: progress
promover: promote promotion
propietario dueño: owner
proteger protección: protect protection
protocolo: protocol
proveedor: provider vendor
proyecto: project
publicar publicación: publish release
público: public
puente: bridge
puerta: gate
puerto: port
rama: branch
rango: range
ratón: mouse
reanudar: resume
recibir: receive
reconstruir: rebuild
recuperar recuperación: recovery restore
recurso: resource
red: network
redirigir: redirect
redactar: redact
referencia: reference
registro registrar: log logging register registry
reiniciar reinicio: restart
reintentar reintento: retry
reloj: clock
relleno: padding
rendimiento: performance
renombrar: rename
renovar: renew
repartir distribuir: distribute spread
repositorio: repository
requerir requisito: requirement require
reservar reserva: reserve reserved
respuesta: response answer
restaurar: restore
resumen: summary
retrasar retraso: delay
retirar: remove
revisar revisión: review revision
revocar: revoke
rotar rotación: rotate rotation
salida: output
secreto: secret
sección: section
seguir: follow
seguridad seguro: security secure
seleccionar: select
semana: week
sesión: session
servicio: service
servidor: server
servir: serve
sistema: system
sintaxis: syntax
socio: partner
sobrecarga: overload
soportar soporte: support
subir: upload
suprimir: delete
suspender suspendido: suspend
tabla: table
tamaño: size
tarea: task job
tasa: rate
tecla: key
teclado: keyboard
temporal: temporary
texto: text
tercero: third-party
tiempo: time
tienda: store shop
tipo: type
tráfico: traffic
traducir: translate
transacción: transaction
traza rastreo: trace tracing
ubicación: location
umbral: threshold
unidad unitario: unit
uso usar: use
usuario: user
validar validación: validation validate
valor: value
variable: variable
ventana: window
verificar: verify
versión: version
vista: view
vivo: live
volumen: volume
zona: zone
`)

// readGlossary answers for each language what its stems are in the other.
func readGlossary(lines string) [Spanish + 1]map[string][]string {
	var all [Spanish + 1]map[string][]string
	for l := range all {
		all[l] = make(map[string][]string)
	}
	join := func(l Language, from, to string) {
		if from != to && !slices.Contains(all[l][from], to) {
			all[l][from] = append(all[l][from], to)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		spanish, english, _ := strings.Cut(line, ":")
		for _, es := range termsOf(spanish, Spanish) {
			for _, en := range termsOf(english, English) {
				join(Spanish, es, en)
				join(English, en, es)
			}
		}
	}
	return all
}

// termsOf are the words of a list as the index has them.
func termsOf(list string, l Language) []string {
	var terms []string
	for _, one := range strings.Fields(list) {
		scan(one, func(w word) {
			if !w.whole {
				terms = append(terms, stem(w, l))
			}
		})
	}
	return terms
}
