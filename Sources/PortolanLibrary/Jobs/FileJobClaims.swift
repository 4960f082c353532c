internal import CFileSystem
public import Foundation
internal import Glibc
public import PortolanJobs

/// Claims among all processes that use a home.
///
/// A claim is a lock on one byte of a file that stays empty; which byte follows from the job. The
/// kernel gives it back when the process ends, so that nothing is left to clear up.
public struct FileJobClaims: JobClaims {
  /// The file.
  public let url: URL

  /// Describes the claims in a file, which is made when the first is asked for.
  public init(url: URL) { self.url = url }

  public func claim(_ id: JobID) throws(JobError) -> JobClaim? {
    let descriptor = try open()
    guard cfilesystem_lock_byte(descriptor, Self.offset(of: id)) == 0 else {
      let reason = errno
      close(descriptor)
      guard reason == EAGAIN || reason == EACCES else { throw failure(reason) }
      return nil
    }
    return JobClaim { close(descriptor) }
  }

  public func isClaimed(_ id: JobID) throws(JobError) -> Bool {
    let descriptor = try open()
    defer { close(descriptor) }
    let answer = cfilesystem_byte_is_locked(descriptor, Self.offset(of: id))
    guard answer >= 0 else { throw failure(errno) }
    return answer == 1
  }

  private func open() throws(JobError) -> Int32 {
    let descriptor = unsafe Glibc.open(
      url.path(percentEncoded: false), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    return descriptor
  }

  private func failure(_ number: Int32) -> JobError {
    .journal(
      file: url.path(percentEncoded: false), reason: unsafe String(cString: strerror(number)))
  }

  /// The byte of a job: the FNV-1a hash of its id in 62 bits.
  private static func offset(of id: JobID) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Int64(hash >> 2)
  }
}
