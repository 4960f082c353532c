internal import CCurl

/// One transfer's place in libcurl, used again for the next when it is done.
@safe
final class CurlHandle {
  /// Lives as long as this object.
  let pointer: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// Creates a handle; `nil` if there is no memory for it.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe curl_slist_free_all(headers)
    unsafe message.deallocate()
  }

  /// Forgets all options; connections, sessions and names stay known.
  func reset() {
    unsafe curl_easy_reset(pointer)
    unsafe curl_slist_free_all(headers)
    unsafe headers = nil
    unsafe message.pointee = 0
    unsafe _ = ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
  }

  /// Continues with a transfer that was paused; may call back at once.
  func resume() { unsafe _ = curl_easy_pause(pointer, Int32(CURLPAUSE_CONT)) }

  /// The message of libcurl about the last failure, empty if there is none.
  var failure: String { unsafe String(cString: message) }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe _ = ccurl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, size: Int) {
    unsafe _ = ccurl_set_offset(pointer, option, curl_off_t(size))
  }

  func set(_ option: CURLoption, _ text: String) {
    unsafe _ = ccurl_set_text(pointer, option, text)
  }

  func setHeaders(_ lines: [String]) {
    for line in lines {
      // Without memory for more, the list so far stays good.
      if let longer = unsafe curl_slist_append(headers, line) { unsafe headers = longer }
    }
    unsafe _ = ccurl_set_list(pointer, CURLOPT_HTTPHEADER, headers)
  }
}
