internal import CCurl
internal import PortolanCrypto

/// The owner of libcurl's set of transfers, with its connections.
@safe
struct CurlMulti: ~Copyable {
  /// Lives as long as this value.
  let pointer: UnsafeMutableRawPointer

  /// Creates an empty set; `nil` if there is no memory for it.
  init?() {
    OpenSSLLifetime.endsWithProcess()
    // Counted by the library, and safe on any thread in all versions that Portolan builds with.
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return nil }
    guard let pointer = unsafe curl_multi_init() else {
      curl_global_cleanup()
      return nil
    }
    unsafe self.pointer = pointer
    // By default the library keeps few idle connections after a burst of many.
    unsafe _ = ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, 256)
  }

  deinit {
    unsafe _ = curl_multi_cleanup(pointer)
    curl_global_cleanup()
  }

  /// Adds a transfer.
  func add(_ handle: CurlHandle) -> Bool {
    unsafe curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
  }

  /// Removes a transfer, wherever it is.
  func remove(_ handle: CurlHandle) {
    unsafe _ = curl_multi_remove_handle(pointer, handle.pointer)
  }

  /// Moves all transfers on as far as they go without waiting.
  func perform() {
    var running: Int32 = 0
    unsafe _ = curl_multi_perform(pointer, &running)
  }

  /// The next transfer that has ended, and how.
  func nextEnded() -> (transfer: CurlTransfer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      var context: UnsafeMutableRawPointer?
      unsafe _ = ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
      guard let transfer = unsafe CurlCallbacks.transfer(context) else { continue }
      return (transfer, unsafe message.pointee.data.result)
    }
    return nil
  }

  /// Waits until something happens, it is woken, or `milliseconds` have passed.
  func wait(milliseconds: Int32) {
    unsafe _ = curl_multi_poll(pointer, nil, 0, milliseconds, nil)
  }
}
