/// The uploads that a service keeps.
///
/// Once it is full, the oldest make room for what comes; first those that a job has used, which nobody needs
/// any more.
struct UploadShelf: Sendable {
  /// The most bytes that are kept.
  let limit: Int
  /// The uploads, by their ids.
  private(set) var uploads: [String: Upload] = [:]
  /// The size of the uploads, in bytes.
  private(set) var byteCount = 0
  /// Their ids, the oldest first.
  private var order: [String] = []
  private var used: Set<String> = []

  init(limit: Int = 512 << 20) { self.limit = limit }

  /// Keeps an upload, or what has come of it by now.
  ///
  /// - Returns: Whether it has room; one that has none is gone.
  mutating func keep(_ upload: Upload) -> Bool {
    _ = remove(upload.id)
    guard upload.byteCount <= limit else { return false }
    uploads[upload.id] = upload
    order.append(upload.id)
    byteCount += upload.byteCount
    while byteCount > limit, let oldest = next(besides: upload.id) { _ = remove(oldest) }
    return true
  }

  /// Notes that a job has used an upload.
  mutating func noteUse(of id: String) {
    if uploads[id] != nil { used.insert(id) }
  }

  /// Forgets an upload.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ id: String) -> Bool {
    guard let upload = uploads.removeValue(forKey: id) else { return false }
    byteCount -= upload.byteCount
    order.removeAll { $0 == id }
    used.remove(id)
    return true
  }

  /// The id of the upload to discard next.
  private func next(besides id: String) -> String? {
    order.first { used.contains($0) && $0 != id } ?? order.first { $0 != id }
  }
}
