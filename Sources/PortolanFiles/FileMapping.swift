#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of a file as memory, for as long as this value lives.
@safe
public final class FileMapping: Sendable {
  /// The bytes, never written through.
  public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  init(_ descriptor: Int32, _ count: Int, _ path: String) throws(FileError) {
    let address = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw FileError(.open(path), code: errno)
    }
    unsafe bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  deinit { unsafe _ = munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
