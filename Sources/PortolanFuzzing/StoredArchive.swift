internal import Foundation
internal import PortolanArchives

/// An archive of uncompressed entries, made in memory: targets make one for each input.
enum StoredArchive {
  static func data(of files: [(name: String, data: Data)]) -> Data {
    var archive = Data()
    var directory = Data()
    for file in files {
      let shared = sharedPart(file.name, file.data)
      directory += numbers([0x0201_4B50], 4) + numbers([20], 2) + shared
      directory += numbers([0, 0, 0, 0, 0, archive.count & 0xFFFF, archive.count >> 16], 2)
      directory += Data(file.name.utf8)
      archive += numbers([0x0403_4B50], 4) + shared + Data(file.name.utf8) + file.data
    }
    let end = numbers([0x0605_4B50, 0], 4) + numbers([files.count, files.count], 2)
    let place = numbers([directory.count, archive.count], 4) + numbers([0], 2)
    return archive + directory + end + place
  }

  /// What both headers have: version, flags, method, time, day, checksum, sizes, lengths.
  private static func sharedPart(_ name: String, _ data: Data) -> Data {
    var checksum = CRC32()
    unsafe data.withUnsafeBytes { unsafe checksum.add($0) }
    return numbers([20, 0, 0, 0, 0x21], 2)
      + numbers([Int(checksum.value), data.count, data.count], 4)
      + numbers([name.utf8.count, 0], 2)
  }

  private static func numbers(_ values: [Int], _ width: Int) -> Data {
    Data(
      values.flatMap { value in (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
  }
}
