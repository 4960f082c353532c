internal import CMicroHTTPD
internal import Foundation
internal import PortolanTransport

/// Passes a request to the handler and its response to the connection.
@safe
struct ConnectionHandler {
  private static let blockSize = 64 << 10

  let connection: OpaquePointer
  let context: ServerContext
  let exchange: Exchange

  /// Looks at the headers; refuses a body that says that it is too long, or that is not expected.
  func readHead(method: String) -> MHD_Result {
    // The headers of a request without a body are read once, when it is answered.
    let length = header("Content-Length").flatMap { Int($0) } ?? 0
    guard length <= context.bodyLimit else { return refuse(413) }
    guard length > 0 || header("Transfer-Encoding") != nil else { return portolan_mhd_yes() }
    let head = HTTPServerRequest(method: method, target: exchange.target, headers: headers)
    if let refusal = context.handler.refusal(beforeBodyOf: head) { return refuse(refusal) }
    exchange.expectsBody = true
    unsafe portolan_mhd_set_idle_seconds(connection, context.bodySeconds)
    return portolan_mhd_yes()
  }

  /// Has the request answered, or sends the response that it has got.
  func answer(method: String) -> MHD_Result {
    if let answer = exchange.answer { return send(answer) }
    if exchange.expectsBody {
      unsafe portolan_mhd_set_idle_seconds(connection, MicroHTTPDaemon.idleSeconds)
    }
    guard !exchange.isTooLarge else { return refuse(413) }
    let request = HTTPServerRequest(
      method: method, target: exchange.target, headers: headers, body: exchange.body)
    let waiting = unsafe SuspendableConnection(connection)
    let executor = context.answersInPlace ? InPlaceExecutor() : nil
    let hasStarted = context.tasks.start(on: executor) { [context, exchange] in
      let answer = Exchange.Answer(response: await context.handler.respond(to: request))
      if exchange.finish(answer) { waiting.resume() }
    }
    guard hasStarted else { return portolan_mhd_no() }
    executor?.run()
    return exchange.answer(orSuspend: waiting.suspend).map(send) ?? portolan_mhd_yes()
  }

  private func send(_ answer: Exchange.Answer) -> MHD_Result {
    answer.response.map(send) ?? portolan_mhd_no()
  }

  private func header(_ name: String) -> String? {
    unsafe portolan_mhd_header(connection, name).map { unsafe String(cString: $0) }
  }

  private var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    unsafe withUnsafeMutablePointer(to: &headers) {
      unsafe portolan_mhd_each_header(connection, DaemonCallbacks.addHeader, $0)
    }
    return headers
  }

  private func refuse(_ status: Int) -> MHD_Result {
    refuse(context.handler.refusal(status: status))
  }

  private func refuse(_ response: HTTPServerResponse) -> MHD_Result {
    var response = response
    response.headers["Connection"] = "close"
    return send(response)
  }

  private func send(_ answer: HTTPServerResponse) -> MHD_Result {
    let answer = answer.announcingUnchanged
    guard let response = unsafe response(answer.body) else { return portolan_mhd_no() }
    for field in answer.headers.fields {
      unsafe MHD_add_response_header(response, field.name, field.value)
    }
    let result = unsafe MHD_queue_response(connection, UInt32(answer.status), response)
    unsafe MHD_destroy_response(response)
    return result
  }

  private func response(_ body: HTTPServerResponse.Body) -> OpaquePointer? {
    switch body {
    case .bytes(let data):
      return unsafe data.withUnsafeBytes {
        unsafe portolan_mhd_response_copying($0.baseAddress, $0.count)
      }
    case .file(let url, let offset, let length):
      return unsafe fileResponse(url, offset, length)
    case .stream(let body, let length): return unsafe streamResponse(body, length)
    }
  }

  /// The system copies the file to the socket; the library closes it.
  private func fileResponse(_ url: URL, _ offset: Int, _ length: Int) -> OpaquePointer? {
    let file = unsafe open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let response = unsafe MHD_create_response_from_fd_at_offset64(
      UInt64(length), file, UInt64(offset))
    if unsafe response == nil { close(file) }
    return unsafe response
  }

  private func streamResponse(_ body: any HTTPServerBody, _ length: Int?) -> OpaquePointer? {
    let outgoing = unsafe OutgoingBody(
      body, connection: SuspendableConnection(connection), tasks: context.tasks)
    let opaque = unsafe Unmanaged.passRetained(outgoing).toOpaque()
    // The greatest number stands for a length that is not known (MHD_SIZE_UNKNOWN).
    let response = unsafe MHD_create_response_from_callback(
      length.map { UInt64($0) } ?? .max, Self.blockSize, DaemonCallbacks.readBody, opaque,
      DaemonCallbacks.freeBody)
    if unsafe response == nil { unsafe Unmanaged<OutgoingBody>.fromOpaque(opaque).release() }
    return unsafe response
  }
}

extension HTTPServerResponse {
  /// The response; one of status 304 with the length of what has not changed as that of a body, of which the
  /// library sends no more than the length.
  fileprivate var announcingUnchanged: HTTPServerResponse {
    guard status == 304, let length = headers["Content-Length"].flatMap({ Int($0) }) else {
      return self
    }
    var response = self
    response.headers["Content-Length"] = nil
    response.body = .stream(UnsentBody(), length: length)
    return response
  }
}

/// A body that is announced and not sent.
private struct UnsentBody: HTTPServerBody {
  func next(at position: Int, limit: Int) -> HTTPServerBodyStep { .end }
}
