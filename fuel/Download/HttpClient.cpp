// HttpClient: see HttpClient.h.
#include "fuel/Download/HttpClient.h"

#include "blocks/Error.h"

#include <curl/curl.h>

#include <chrono>
#include <cmath>
#include <exception>

namespace fuel {

namespace {
using Clock = std::chrono::steady_clock;

/// Of one request, for the callbacks. Exceptions must not pass through C: they
/// wait here.
struct Transfer {
  const HttpReceiver &receiver;
  HttpReply reply;
  double patience; ///< Seconds without a byte.
  CURL *curl;
  bool begun = false, refused = false, stopped = false, silent = false;
  bool secure = false;   ///< A request went by https.
  bool weakened = false; ///< And the next was to go by http.
  curl_off_t heard = 0;  ///< Bytes, the last time that some came.
  Clock::time_point heardAt = Clock::now();
  std::exception_ptr error;

  template <typename Call> bool guarded(Call call) {
    try {
      return call();
    } catch (...) {
      error = std::current_exception();
      return false;
    }
  }
};

size_t onHeader(char *data, size_t size, size_t count, void *context) {
  auto &transfer = *static_cast<Transfer *>(context);
  bool good = transfer.guarded([&] {
    transfer.reply.takeHeader(std::string(data, size * count));
    return true;
  });
  return good ? size * count : 0;
}

size_t onBody(char *data, size_t size, size_t count, void *context) {
  auto &transfer = *static_cast<Transfer *>(context);
  bool good = transfer.guarded([&] {
    if (!transfer.begun) {
      transfer.begun = true;
      transfer.refused = !transfer.receiver.begin(transfer.reply);
    }
    if (!transfer.refused)
      transfer.receiver.data(data, size * count);
    return !transfer.refused;
  });
  return good ? size * count : size_t(CURL_WRITEFUNC_ERROR);
}

/// Called about every second, and whenever something comes.
int onProgress(void *context, curl_off_t, curl_off_t bytes, curl_off_t,
               curl_off_t) {
  auto &transfer = *static_cast<Transfer *>(context);
  transfer.stopped = transfer.receiver.stopped && transfer.receiver.stopped();
  Clock::time_point now = Clock::now();
  if (bytes != transfer.heard) {
    transfer.heard = bytes;
    transfer.heardAt = now;
  }
  std::chrono::duration<double> silence = now - transfer.heardAt;
  transfer.silent = silence.count() > transfer.patience;
  return transfer.stopped || transfer.silent ? 1 : 0;
}

bool isSecure(const char *url) { return curl_strnequal(url, "https:", 6) != 0; }

/// Called before each request, so also before each that a redirect asks for:
/// libcurl's own limit looks at the first URL only.
int onRequest(void *context, char *, char *, int, int) {
  auto &transfer = *static_cast<Transfer *>(context);
  char *url = nullptr;
  curl_easy_getinfo(transfer.curl, CURLINFO_EFFECTIVE_URL, &url);
  bool secure = url && isSecure(url);
  transfer.weakened = transfer.secure && !secure;
  transfer.secure = secure;
  return transfer.weakened ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

struct FreeList {
  void operator()(curl_slist *list) const { curl_slist_free_all(list); }
};

/// Failures that another attempt would only repeat.
bool isFinal(CURLcode code) {
  switch (code) {
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_URL_MALFORMAT:
  case CURLE_TOO_MANY_REDIRECTS:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_ISSUER_ERROR:
  case CURLE_LOGIN_DENIED:
    return true;
  default:
    return false;
  }
}

void initializeCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK)
    throw blocks::UnsupportedError(std::string("libcurl does not start: ") +
                                   curl_easy_strerror(code));
}
} // namespace

struct HttpClient::Handle {
  CURL *curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

HttpClient::HttpClient() {
  initializeCurl();
  handle = std::make_unique<Handle>();
  if (!handle->curl)
    throw blocks::UnsupportedError("libcurl does not start");
}

HttpClient::~HttpClient() = default;

static std::string problemOf(CURLcode code, const char *details) {
  if (code == CURLE_UNSUPPORTED_PROTOCOL)
    return "it leads to something else than http or https, or from https to "
           "http";
  if (code == CURLE_OPERATION_TIMEDOUT)
    return std::string("time-out: ") + details;
  std::string text = *details ? details : curl_easy_strerror(code);
  if (code == CURLE_PEER_FAILED_VERIFICATION ||
      code == CURLE_SSL_CACERT_BADFILE)
    text += " (is the package ca-certificates installed?)";
  return text;
}

static void limitWhereItGoes(CURL *curl, const HttpRequest &request) {
  bool secure = isSecure(request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR,
                   secure ? "https" : "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
  if (!request.certificates.empty())
    curl_easy_setopt(curl, CURLOPT_CAINFO, request.certificates.c_str());
}

static void limitTimes(CURL *curl, const HttpRequest &request) {
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   long(request.connectTimeout * 1000));
}

static void setCallbacks(CURL *curl, Transfer &transfer) {
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, onHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, onBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, onRequest);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, onProgress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
}

HttpResult HttpClient::get(const HttpRequest &request,
                           const HttpReceiver &receiver) {
  CURL *curl = handle->curl;
  Transfer transfer{receiver, {}, request.stallTimeout, curl};
  char details[CURL_ERROR_SIZE] = "";
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "fuel-download");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, details);
  limitWhereItGoes(curl, request);
  limitTimes(curl, request);
  setCallbacks(curl, transfer);
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L << 10);
  std::string range = std::to_string(request.from) + "-";
  if (request.from > 0)
    curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
  std::unique_ptr<curl_slist, FreeList> headers;
  if (request.from > 0 && !request.ifRange.empty()) {
    std::string condition = "If-Range: " + request.ifRange;
    headers.reset(curl_slist_append(nullptr, condition.c_str()));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  }

  CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr); // It ends here.
  if (transfer.error)
    std::rethrow_exception(transfer.error);
  if (transfer.weakened)
    return {HttpEnd::Refused, transfer.reply,
            problemOf(CURLE_UNSUPPORTED_PROTOCOL, "")};
  if (transfer.stopped)
    return {HttpEnd::Stopped, transfer.reply, ""};
  if (transfer.refused)
    return {HttpEnd::Ended, transfer.reply, ""};
  if (transfer.silent)
    return {HttpEnd::Broken, transfer.reply,
            "time-out: nothing came for " +
                std::to_string(std::lround(request.stallTimeout)) + " s"};
  if (code == CURLE_OK)
    return {HttpEnd::Complete, transfer.reply, ""};
  return {isFinal(code) ? HttpEnd::Refused : HttpEnd::Broken, transfer.reply,
          problemOf(code, details)};
}

} // namespace fuel
