internal import CCurl
internal import Foundation

/// The callbacks of libcurl, which run on the event thread.
///
/// The context is the transfer, which the loop keeps alive as long as libcurl knows of it.
enum CurlCallbacks {
  /// Lets libcurl tell `transfer` what happens on `handle`.
  static func connect(_ transfer: CurlTransfer, to handle: CurlHandle) {
    let pointer = unsafe handle.pointer
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
      CURLOPT_PREREQDATA, CURLOPT_PRIVATE,
    ] {
      unsafe _ = ccurl_set_pointer(pointer, option, context)
    }
    unsafe _ = ccurl_set_transfer(pointer, CURLOPT_WRITEFUNCTION, receiveBody)
    unsafe _ = ccurl_set_transfer(pointer, CURLOPT_HEADERFUNCTION, receiveHead)
    unsafe _ = ccurl_set_transfer(pointer, CURLOPT_READFUNCTION, sendBody)
    unsafe _ = ccurl_set_seek(pointer, seekBody)
    unsafe _ = ccurl_set_ready(pointer, connected)
  }

  /// The transfer that a context stands for.
  static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  switch unsafe CurlCallbacks.transfer(context)?.receive(buffer) ?? .stop {
  case .proceed: return size * count
  case .pause: return Int(CURL_WRITEFUNC_PAUSE)
  // Any other number ends the transfer, but none is what an empty piece has anyway.
  case .stop: return size * count + 1
  }
}

private func receiveHead(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  let goesOn = unsafe CurlCallbacks.transfer(context)?.receive(headLine: buffer) ?? false
  return goesOn ? size * count : size * count + 1
}

private func sendBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return unsafe CurlCallbacks.transfer(context)?.fill(buffer) ?? Int(ccurl_read_abort)
}

private func seekBody(
  _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
  let isDone = unsafe origin == 0 && CurlCallbacks.transfer(context)?.seek(to: Int(offset)) == true
  return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func connected(
  _ context: UnsafeMutableRawPointer?, _ local: UnsafeMutablePointer<CChar>?,
  _ remote: UnsafeMutablePointer<CChar>?, _ localPort: Int32, _ remotePort: Int32
) -> Int32 {
  unsafe CurlCallbacks.transfer(context)?.connected()
  return CURL_PREREQFUNC_OK
}
