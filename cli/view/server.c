// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results served to a browser on this machine, by libmicrohttpd.
#include "server.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>


#ifdef ART_HAVE_MICROHTTPD
#include <microhttpd.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "loopback.h"
#include "route.h"
#include "show/page.h"
#include "show/scene_read.h"

enum {
  MAX_CONNECTIONS = 64,   // the next one takes the place of one that does nothing
  MAX_LISTENERS = 16,     // that wait for a run to grow
  PATIENCE = 20,          // s without a word from the other side
  SPARE_CONNECTIONS = 16, // for those whose place is taken, until the daemon has closed them
  PATIENCE_FIRST = 5,     // s from the connection to its first whole request
  MEMORY = 32 * 1024,     // bytes for the head of a request
  TICK = 100,             // ms between looks at runs that grow
  SILENT = 60,            // s without growth after which a run has ended
  MAX_BYTES = 8 << 20,    // of one answer with frames
  MAX_COLUMN = 1 << 28,   // bytes of one column
};

typedef struct serverRun {
  ioSceneReader reader;
  char name[PAGE_NAME_LENGTH];
  char certificate[FILE_PATH_LENGTH];
  cliJointJog *jog; // NULL: its joints cannot be moved
} serverRun;

// a browser that is told when a run grows
typedef struct serverListener {
  struct MHD_Connection *connection;
  struct serverWork *server;
  int run;
  long told;   // frames
  int is_last; // nothing follows
  int is_used, is_waiting;
} serverListener;

// a connection that is open
typedef struct serverGuest {
  int fd;       // -1: nobody
  int is_known; // has named the secret
  double since; // its last whole request, or its beginning
} serverGuest;

typedef struct serverWork {
  cliServer server;
  struct MHD_Daemon *daemon;
  int socket; // until the daemon has it
  char secret[ROUTE_SECRET_LENGTH], once[ROUTE_SECRET_LENGTH];
  char hosts[2][32];
  char *page, *own_page;
  size_t page_size;
  int nrun;
  serverRun *run;
  pthread_mutex_t lock; // of listeners and guests
  serverListener listener[MAX_LISTENERS];
  serverGuest guest[MAX_CONNECTIONS];
  pthread_t ticker;
  int has_ticker;
  _Atomic int is_ending;
} serverWork;

// one request
typedef struct serverCall {
  serverWork *server;
  struct MHD_Connection *connection;
} serverCall;


//---- answers -------------------------------------------------------------------------------------

static enum MHD_Result send_response(const serverCall *call, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
  if (!response) return MHD_NO;
  MHD_add_response_header(response, "Content-Type", type);
  MHD_add_response_header(response, "Cache-Control", "no-store");
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
  const enum MHD_Result result = MHD_queue_response(call->connection, status, response);
  MHD_destroy_response(response);
  return result;
}


static enum MHD_Result send_text(const serverCall *call, unsigned status, const char *text)
{
  return send_response(
      call, status, "text/plain; charset=utf-8",
      MHD_create_response_from_buffer(strlen(text), (char *) text, MHD_RESPMEM_MUST_COPY));
}


// takes the block over
static enum MHD_Result send_block(const serverCall *call, const char *type, size_t n, void *block)
{
  struct MHD_Response *response =
      MHD_create_response_from_buffer_with_free_callback(n, block, mem_free);
  if (!response) mem_free(block);
  return send_response(call, MHD_HTTP_OK, type, response);
}


static enum MHD_Result send_full(const serverCall *call)
{
  return send_text(call, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
}


//---- runs ----------------------------------------------------------------------------------------

// a run that has no certificate yet and that was written to not long ago
static bool is_live(const serverRun *run)
{
  struct stat about;
  if (stat(run->certificate, &about) == 0) return false;
  if (stat(run->reader.path, &about) != 0) return false;
  return difftime(time(NULL), about.st_mtime) < SILENT;
}


static enum MHD_Result send_runs(const serverCall *call)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return send_full(call);
  ioJson json = {.file = stream};
  json_array(&json, NULL);
  for (int i = 0; i < call->server->nrun; i++) {
    serverRun *run = &call->server->run[i];
    json_item(&json, NULL, "id: %d, name: %s, header: %lld, frames: %ld, live: %i, joints: %i", i,
              run->name, (long long) run->reader.header_length, scene_count(&run->reader),
              is_live(run), run->jog != NULL);
  }
  json_end(&json);
  fclose(stream);
  const enum MHD_Result result =
      send_response(call, MHD_HTTP_OK, "application/json",
                    MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_COPY));
  free(text);
  return result;
}


static long query_number(const serverCall *call, const char *key, long otherwise)
{
  return route_number(MHD_lookup_connection_value(call->connection, MHD_GET_ARGUMENT_KIND, key),
                      otherwise);
}


static enum MHD_Result send_frames(const serverCall *call, serverRun *run)
{
  const long count = scene_count(&run->reader), from = query_number(call, "from", 0);
  const long every = query_number(call, "every", 1), asked = query_number(call, "to", count);
  if (from < 0 || every < 1 || asked < from) {
    return send_text(call, MHD_HTTP_BAD_REQUEST,
                     "expected from=A&to=B with whole numbers, A not beyond B, and every=K\n");
  }
  const long to = asked < count ? asked : count;
  const size_t size = scene_frame_size(&run->reader);
  const long most = MAX_BYTES / size > 0 ? (long) (MAX_BYTES / size) : 1;
  long n = from < to ? (to - from + every - 1) / every : 0;
  if (n > most) n = most;
  unsigned char *bytes = mem_alloc((size_t) n * size + 1, 1);
  if (!bytes) return send_full(call);
  for (long i = 0; i < n; i++) {
    if (scene_read_frame(&run->reader, from + i * every, bytes + (size_t) i * size)) continue;
    n = i;
  }
  return send_block(call, "application/octet-stream", (size_t) n * size, bytes);
}


// channel -1: the time
static enum MHD_Result send_column(const serverCall *call, serverRun *run, int channel)
{
  ART_ASSERT(channel >= -1);
  long n = scene_count(&run->reader);
  if (n > MAX_COLUMN / 8) n = MAX_COLUMN / 8;
  unsigned char *bytes = mem_alloc((size_t) n * 8 + 1, 1);
  if (!bytes) return send_full(call);
  if (!scene_read_column(&run->reader, channel, 0, n, bytes)) n = 0;
  return send_block(call, "application/octet-stream", (size_t) n * 8, bytes);
}


static enum MHD_Result send_certificate(const serverCall *call, const serverRun *run)
{
  char *text = NULL;
  size_t size = 0;
  // a run that goes on has none yet, which is no error
  if (file_read(run->certificate, &text, &size, NULL) != ART_OK) {
    return send_response(call, MHD_HTTP_OK, "application/json",
                         MHD_create_response_from_buffer(4, "null", MHD_RESPMEM_PERSISTENT));
  }
  return send_block(call, "application/json", size, text);
}


//---- joints that are moved -----------------------------------------------------------------------

// the daemon has one thread, and nobody else touches the machine
static enum MHD_Result send_joints(const serverCall *call, const serverRun *run)
{
  char *text = joint_jog_list(run->jog);
  if (!text) return send_full(call);
  const enum MHD_Result result =
      send_response(call, MHD_HTTP_OK, "application/json",
                    MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY));
  free(text);
  return result;
}


// the poses of all bodies; of a pull the coordinates before them
static enum MHD_Result send_pose(const serverCall *call, const serverRun *run, bool is_pull)
{
  const int n = run->reader.layout.nbody;
  const size_t before = is_pull ? (size_t) run->jog->n * sizeof(double) : 0;
  const size_t size = before + (size_t) n * SCENE_POSE * sizeof(float);
  const char *wish =
      MHD_lookup_connection_value(call->connection, MHD_GET_ARGUMENT_KIND, is_pull ? "ray" : "q");
  artError error = {0};
  char *block = mem_alloc(size + 1, 1);
  if (!block) return send_full(call);
  float *poses = (float *) (void *) (block + before);
  double *values = (double *) (void *) block;
  const artStatus status = is_pull ? joint_jog_pull(run->jog, wish, values, n, poses, &error)
                                   : joint_jog_move(run->jog, wish, n, poses, &error);
  if (!status) return send_block(call, "application/octet-stream", size, block);
  mem_free(block);
  return send_text(call, MHD_HTTP_CONFLICT, error.text);
}


//---- runs that grow ------------------------------------------------------------------------------

// called when there may be news: an event, or wait for the next look
static ssize_t report_growth(void *context, uint64_t position, char *buffer, size_t room)
{
  (void) position;
  serverListener *listener = context;
  serverWork *server = listener->server;
  serverRun *run = &server->run[listener->run];
  if (listener->is_last) return MHD_CONTENT_READER_END_OF_STREAM;
  const bool live = is_live(run) && !server->is_ending;
  const long frames = scene_count(&run->reader);
  if (frames == listener->told && live) {
    pthread_mutex_lock(&server->lock);
    listener->is_waiting = 1;
    MHD_suspend_connection(listener->connection);
    pthread_mutex_unlock(&server->lock);
    return 0;
  }
  listener->told = frames;
  listener->is_last = !live;
  const int n = snprintf(buffer, room, "data: {\"frames\": %ld, \"live\": %s}\n\n", frames,
                         live ? "true" : "false");
  return n > 0 && (size_t) n < room ? n : MHD_CONTENT_READER_END_WITH_ERROR;
}


static void forget_listener(void *context)
{
  serverListener *listener = context;
  pthread_mutex_lock(&listener->server->lock);
  listener->is_used = listener->is_waiting = 0;
  pthread_mutex_unlock(&listener->server->lock);
}


static enum MHD_Result send_events(const serverCall *call, int run)
{
  ART_ASSERT(run >= 0);
  serverWork *server = call->server;
  serverListener *free_one = NULL;
  pthread_mutex_lock(&server->lock);
  for (int i = 0; i < MAX_LISTENERS && !free_one; i++) {
    if (!server->listener[i].is_used) free_one = &server->listener[i];
  }
  if (free_one) {
    *free_one = (serverListener){
        .connection = call->connection, .server = server, .run = run, .told = -1, .is_used = 1};
  }
  pthread_mutex_unlock(&server->lock);
  if (!free_one) return send_text(call, MHD_HTTP_SERVICE_UNAVAILABLE, "too many listeners\n");
  struct MHD_Response *response = MHD_create_response_from_callback(
      MHD_SIZE_UNKNOWN, 4096, report_growth, free_one, forget_listener);
  if (!response) forget_listener(free_one);
  return send_response(call, MHD_HTTP_OK, "text/event-stream", response);
}


static void wake_listeners(serverWork *server)
{
  pthread_mutex_lock(&server->lock);
  for (int i = 0; i < MAX_LISTENERS; i++) {
    if (!server->listener[i].is_waiting) continue;
    server->listener[i].is_waiting = 0;
    MHD_resume_connection(server->listener[i].connection);
  }
  pthread_mutex_unlock(&server->lock);
}


//---- guests --------------------------------------------------------------------------------------

// Everybody on this machine can connect. Whoever has not named the secret has a few seconds for a whole request,
// and where there are too many, loses the place first; the sockets are closed by the daemon.

static void dismiss_guest(serverGuest *guest)
{
  loopback_shut(guest->fd);
  guest->fd = -1;
}


// a free place, or that of the one who has been silent longest, strangers first
static serverGuest *find_guest_place(serverWork *server)
{
  serverGuest *worst = &server->guest[0];
  for (int i = 0; i < MAX_CONNECTIONS; i++) {
    serverGuest *guest = &server->guest[i];
    if (guest->fd < 0) return guest;
    const bool is_older = guest->since < worst->since;
    if (guest->is_known < worst->is_known || (guest->is_known == worst->is_known && is_older)) {
      worst = guest;
    }
  }
  dismiss_guest(worst);
  return worst;
}


// by the socket, since a dismissed guest's place may be another's
static serverGuest *find_guest(serverWork *server, int fd)
{
  for (int i = 0; i < MAX_CONNECTIONS; i++) {
    if (server->guest[i].fd == fd) return &server->guest[i];
  }
  return NULL;
}


static int socket_of(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int) info->connect_fd : -1;
}


// a connection comes or goes; its socket is open in both cases
static void notice_connection(void *context, struct MHD_Connection *connection, void **state,
                              enum MHD_ConnectionNotificationCode what)
{
  (void) state;
  serverWork *server = context;
  const int fd = socket_of(connection);
  if (fd < 0) return;
  pthread_mutex_lock(&server->lock);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    *find_guest_place(server) = (serverGuest){.fd = fd, .since = base_now()};
  } else {
    serverGuest *guest = find_guest(server, fd);
    if (guest) guest->fd = -1;
  }
  pthread_mutex_unlock(&server->lock);
}


static void *tick_server(void *context)
{
  serverWork *server = context;
  while (!server->is_ending) {
    const struct timespec pause = {.tv_nsec = TICK * 1000000L};
    nanosleep(&pause, NULL);
    wake_listeners(server);
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
      serverGuest *guest = &server->guest[i];
      if (guest->fd >= 0 && !guest->is_known && base_now() - guest->since > PATIENCE_FIRST) {
        dismiss_guest(guest);
      }
    }
    pthread_mutex_unlock(&server->lock);
  }
  return NULL;
}


//---- requests ------------------------------------------------------------------------------------

// other users can see the address that the browser was started with, and so it opens the door once
static enum MHD_Result refuse_stranger(const serverCall *call, const char *path)
{
  if (!call->server->once[0] || !route_behind(path, call->server->once)) {
    return send_text(call, MHD_HTTP_FORBIDDEN,
                     "this is not the address that 'articula view' printed; open that one\n");
  }
  call->server->once[0] = '\0';
  struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  if (response) {
    MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, call->server->server.address);
  }
  return send_response(call, MHD_HTTP_SEE_OTHER, "text/plain", response);
}


static enum MHD_Result send_route(const serverCall *call, const char *path)
{
  const cliRoute route = route_find(path, call->server->secret, call->server->nrun);
  if (route.kind == ROUTE_REFUSED) return refuse_stranger(call, path);
  pthread_mutex_lock(&call->server->lock);
  serverGuest *guest = find_guest(call->server, socket_of(call->connection));
  if (guest) guest->is_known = 1, guest->since = base_now();
  pthread_mutex_unlock(&call->server->lock);
  serverRun *run = &call->server->run[route.run];
  switch (route.kind) {
  case ROUTE_PAGE:
    return send_response(call, MHD_HTTP_OK, "text/html; charset=utf-8",
                         MHD_create_response_from_buffer(
                             call->server->page_size, call->server->page, MHD_RESPMEM_PERSISTENT));
  case ROUTE_RUNS: return send_runs(call);
  case ROUTE_HEADER:
    return send_response(call, MHD_HTTP_OK, "application/json",
                         MHD_create_response_from_buffer(run->reader.header_length,
                                                         run->reader.header,
                                                         MHD_RESPMEM_PERSISTENT));
  case ROUTE_FRAMES: return send_frames(call, run);
  case ROUTE_TIMES: return send_column(call, run, -1);
  case ROUTE_CERTIFICATE: return send_certificate(call, run);
  case ROUTE_LIVE: return send_events(call, route.run);
  case ROUTE_CHANNEL:
    if (route.channel < run->reader.layout.nchannel) return send_column(call, run, route.channel);
    break;
  case ROUTE_JOINTS:
    if (run->jog) return send_joints(call, run);
    break;
  case ROUTE_POSE:
    if (run->jog) return send_pose(call, run, false);
    break;
  case ROUTE_PULL:
    if (run->jog) return send_pose(call, run, true);
    break;
  case ROUTE_NO_RUN: return send_text(call, MHD_HTTP_NOT_FOUND, "there is no such run\n");
  case ROUTE_REFUSED:
  case ROUTE_NOWHERE: break;
  }
  return send_text(call, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
}


static enum MHD_Result answer_request(void *context, struct MHD_Connection *connection,
                                      const char *url, const char *method, const char *version,
                                      const char *upload, size_t *upload_size, void **state)
{
  (void) version, (void) upload, (void) state;
  const serverCall call = {context, connection};
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
    return send_text(&call, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
  }
  // pages of other origins reach this address under names of their own: their requests carry these
  const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
  const serverWork *server = call.server;
  if (!host || (strcmp(host, server->hosts[0]) != 0 && strcmp(host, server->hosts[1]) != 0)) {
    return send_text(&call, MHD_HTTP_FORBIDDEN, "this server answers to its own address alone\n");
  }
  return send_route(&call, url);
}


//---- life ----------------------------------------------------------------------------------------

static artStatus open_runs(serverWork *server, int n, const char *const *result, artError *error)
{
  server->run = MEM_ARRAY(serverRun, n);
  if (!server->run) return base_no_memory(error);
  artStatus status = ART_OK;
  for (int i = 0; i < n && !status; i++) {
    serverRun *run = &server->run[i];
    server->nrun = i + 1;
    status = scene_open(&run->reader, result[i], error);
    if (!status) status = page_beside(result[i], "certificate.json", run->certificate, error);
    page_result_name(result[i], run->name);
  }
  return status;
}


// the daemon is silent: what others send is no business of the user's
static void say_nothing(void *context, const char *format, va_list list)
{
  (void) context, (void) format, (void) list;
}


static artStatus listen_at(serverWork *server, int port, artError *error)
{
  int bound = port;
  server->socket = loopback_listen(&bound);
  if (server->socket >= 0) {
    // all that a request is compared with comes before the first can come
    if (!route_draw_secret(server->secret) || !route_draw_secret(server->once)) {
      return base_fail(error, ART_IO, base_nowhere(),
                       "the system gives no random numbers for the address");
    }
    snprintf(server->hosts[0], sizeof server->hosts[0], "127.0.0.1:%d", bound);
    snprintf(server->hosts[1], sizeof server->hosts[1], "localhost:%d", bound);
    cliServer *own = &server->server;
    snprintf(own->address, sizeof own->address, "http://%s/%s/", server->hosts[0], server->secret);
    snprintf(own->once_address, sizeof own->once_address, "http://%s/%s/", server->hosts[0],
             server->once);
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_ALLOW_SUSPEND_RESUME |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, answer_request, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_LISTEN_SOCKET, server->socket, MHD_OPTION_NOTIFY_CONNECTION, notice_connection,
        server, MHD_OPTION_CONNECTION_LIMIT, (unsigned) MAX_CONNECTIONS + SPARE_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned) PATIENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t) MEMORY, MHD_OPTION_END);
  }
  if (!server->daemon) {
    return base_fail(error, ART_IO, base_nowhere(),
                     "cannot listen at 127.0.0.1, port %d; another program may use it, try "
                     "another --port or none",
                     port);
  }
  server->socket = -1;
  server->has_ticker = pthread_create(&server->ticker, NULL, tick_server, server) == 0;
  return server->has_ticker ? ART_OK : base_no_memory(error);
}


artStatus server_start(cliServer **out, int n, const char *const *result, cliJointJog *const *jog,
                       char *page, size_t size, int port, artError *error)
{
  serverWork *server = mem_alloc(1, sizeof *server);
  if (!server) return base_no_memory(error);
  *out = &server->server;
  server->page = page;
  server->page_size = size;
  pthread_mutex_init(&server->lock, NULL);
  server->socket = -1;
  for (int i = 0; i < MAX_CONNECTIONS; i++) server->guest[i].fd = -1;
  artStatus status = open_runs(server, n, result, error);
  for (int i = 0; i < n && !status && jog; i++) server->run[i].jog = jog[i];
  if (!status && !page) status = page_load(&server->own_page, &server->page_size, error);
  if (!page) server->page = server->own_page;
  if (!status) status = listen_at(server, port, error);
  if (!status) return ART_OK;
  server_stop(*out);
  *out = NULL;
  return status;
}


artStatus server_check(artError *error)
{
  char *page = NULL;
  size_t size = 0;
  const artStatus status = page_load(&page, &size, error);
  mem_free(page);
  return status;
}


void server_stop(cliServer *own)
{
  serverWork *server = (serverWork *) own; // which it begins
  if (!server) return;
  server->is_ending = 1;
  if (server->has_ticker) pthread_join(server->ticker, NULL);
  wake_listeners(server);
  if (server->daemon) MHD_stop_daemon(server->daemon);
  if (server->socket >= 0) loopback_close(server->socket);
  for (int i = 0; i < server->nrun; i++) scene_shut(&server->run[i].reader);
  mem_free(server->run);
  mem_free(server->own_page);
  pthread_mutex_destroy(&server->lock);
  mem_free(server);
}


#else

artStatus server_check(artError *error)
{
  return base_fail(error, ART_IO, base_nowhere(),
                   "this articula was built without libmicrohttpd and cannot serve; install "
                   "libmicrohttpd-dev and configure anew, or use --html FILE");
}


artStatus server_start(cliServer **out, int n, const char *const *result, cliJointJog *const *jog,
                       char *page, size_t size, int port, artError *error)
{
  (void) n, (void) result, (void) jog, (void) page, (void) size, (void) port;
  *out = NULL;
  return server_check(error);
}


void server_stop(cliServer *server)
{
  (void) server;
}

#endif
