internal import CMicroHTTPD
internal import Foundation
internal import PortolanTransport

/// Brings one request to the portal and its answer to the connection.
@safe
struct ConnectionHandler {
  /// Bodies up to here are copied at once, which is quicker than reading them piece by piece.
  private static let smallBody = 64 << 10
  private static let blockSize = 64 << 10

  let connection: OpaquePointer
  let context: ServerContext
  let exchange: Exchange

  /// Looks at the headers; refuses a body that says that it is too long.
  func readHead() -> MHD_Result {
    let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
    return length > context.bodyLimit ? refuse(413) : portolan_mhd_yes()
  }

  /// Has the request answered, or sends the answer that it has got.
  func answer(method: String) -> MHD_Result {
    if let delivery = exchange.delivery { return send(delivery) }
    guard !exchange.isTooLarge else { return refuse(413) }
    let request = context.request(
      method: method, target: exchange.target, headers: headers, body: exchange.body)
    guard let request else { return refuse(405) }
    let waiting = unsafe SuspendableConnection(connection)
    let hasStarted = context.tasks.start(preparing: waiting.suspend) { [context, exchange] in
      exchange.delivery = await context.portal.deliver(request)
      waiting.resume()
    }
    return hasStarted ? portolan_mhd_yes() : portolan_mhd_no()
  }

  private var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    unsafe withUnsafeMutablePointer(to: &headers) {
      unsafe portolan_mhd_each_header(connection, DaemonCallbacks.addHeader, $0)
    }
    return headers
  }

  private func refuse(_ status: Int) -> MHD_Result {
    var response = DemoResponse.html("<h1>\(status)</h1>", status: status)
    response.headers["Connection"] = "close"
    return send(DemoDelivery(response, method: .get))
  }

  private func send(_ delivery: DemoDelivery) -> MHD_Result {
    guard !delivery.mishaps.dropsConnection, let response = unsafe response(delivery) else {
      return portolan_mhd_no()
    }
    for field in delivery.headers.fields {
      unsafe MHD_add_response_header(response, field.name, field.value)
    }
    let result = unsafe MHD_queue_response(connection, UInt32(delivery.status), response)
    unsafe MHD_destroy_response(response)
    return result
  }

  private func response(_ delivery: DemoDelivery) -> OpaquePointer? {
    let isWhole =
      context.transfers == nil && delivery.mishaps.sparesBody
      && delivery.range.count == delivery.length
    switch delivery.body {
    case .file(let url) where isWhole:
      return unsafe fileResponse(url, delivery) ?? streamResponse(delivery)
    case .bytes(let data) where isWhole && delivery.length <= Self.smallBody:
      let start = data.startIndex + delivery.range.lowerBound
      let bytes = Data(data[start..<start + delivery.length])
      return unsafe bytes.withUnsafeBytes {
        unsafe portolan_mhd_response_copying($0.baseAddress, $0.count)
      }
    case .file, .bytes: return unsafe streamResponse(delivery)
    }
  }

  /// The system copies the file to the socket; the library closes it.
  private func fileResponse(_ url: URL, _ delivery: DemoDelivery) -> OpaquePointer? {
    let file = unsafe open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let response = unsafe MHD_create_response_from_fd_at_offset64(
      UInt64(delivery.length), file, UInt64(delivery.range.lowerBound))
    if unsafe response == nil { close(file) }
    return unsafe response
  }

  private func streamResponse(_ delivery: DemoDelivery) -> OpaquePointer? {
    let body = unsafe OutgoingBody(
      delivery, target: exchange.target, connection: SuspendableConnection(connection),
      context: context)
    let opaque = unsafe Unmanaged.passRetained(body).toOpaque()
    let response = unsafe MHD_create_response_from_callback(
      UInt64(delivery.length), Self.blockSize, DaemonCallbacks.readBody, opaque,
      DaemonCallbacks.freeBody)
    if unsafe response == nil { unsafe Unmanaged<OutgoingBody>.fromOpaque(opaque).release() }
    return unsafe response
  }
}
