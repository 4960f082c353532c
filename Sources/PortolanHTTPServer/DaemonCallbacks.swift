internal import CMicroHTTPD
internal import Foundation
internal import PortolanTransport

/// The callbacks of libmicrohttpd, which run on threads of its own.
enum DaemonCallbacks {
  /// A request line has arrived: the value returned stands for the request from now on.
  static let begin: portolan_mhd_begin = { _, target, _ in
    guard let target = unsafe target else { return nil }
    let exchange = unsafe Exchange(target: String(cString: target))
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
  }

  /// The request is over, answered or not.
  static let complete: MHD_RequestCompletedCallback = { _, _, exchange, _ in
    guard let exchange = unsafe exchange, let opaque = unsafe exchange.pointee else { return }
    unsafe Unmanaged<Exchange>.fromOpaque(opaque).release()
    unsafe exchange.pointee = nil
  }

  /// Called first for the headers, then for each piece of the body, then for the response, and once
  /// more when a suspended connection continues.
  static let handle: MHD_AccessHandlerCallback = {
    context, connection, _, method, _, piece, size, exchange in
    guard let context = unsafe context, let connection = unsafe connection,
      let opaque = unsafe exchange?.pointee, let size = unsafe size
    else { return portolan_mhd_no() }
    let handler = unsafe ConnectionHandler(
      connection: connection,
      context: Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue(),
      exchange: Unmanaged<Exchange>.fromOpaque(opaque).takeUnretainedValue())
    let name = unsafe method.map { unsafe String(cString: $0) } ?? ""
    if handler.exchange.begin() { return handler.readHead(method: name) }
    if let piece = unsafe piece, unsafe size.pointee > 0 {
      let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: unsafe size.pointee)
      let isWorthMore = handler.exchange.receive(
        unsafe bytes.bytes, limit: handler.context.bodyLimit)
      unsafe size.pointee = 0
      return isWorthMore ? portolan_mhd_yes() : portolan_mhd_no()
    }
    return handler.answer(method: name)
  }

  /// Adds one header field to the headers behind `context`.
  static let addHeader: MHD_KeyValueIterator = { context, _, name, value in
    guard let name = unsafe name else { return portolan_mhd_yes() }
    let headers = unsafe context?.assumingMemoryBound(to: HTTPHeaders.self)
    unsafe headers?.pointee.append(
      value.map { unsafe String(cString: $0) } ?? "", to: String(cString: name))
    return portolan_mhd_yes()
  }

  /// Fills `buffer` with the body from `position` on.
  static let readBody: MHD_ContentReaderCallback = { body, position, buffer, limit in
    guard let body = unsafe body, let buffer = unsafe buffer else {
      return portolan_mhd_end_with_error()
    }
    return unsafe Unmanaged<OutgoingBody>.fromOpaque(body).takeUnretainedValue()
      .read(at: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
  }

  /// The body is no longer needed.
  static let freeBody: MHD_ContentReaderFreeCallback = { body in
    guard let body = unsafe body else { return }
    unsafe Unmanaged<OutgoingBody>.fromOpaque(body).release()
  }
}
