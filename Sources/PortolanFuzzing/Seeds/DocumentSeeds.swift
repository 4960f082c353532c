/// Small documents of the plain formats.
enum DocumentSeeds {
  static let json = [
    #"{"a":1,"b":[true,false,null],"c":{"d":"text","e":-2.5e-3},"f":"é\n\"\\é"}"#,
    #"[0,-0.0,1e308,9223372036854775807,9223372036854775808,18446744073709551615]"#,
    #"[[[[[[1],[2]],[]],{}],{"x":{"x":{"x":{}}}}],""]"#,
    #""just a text""#,
  ]

  static let xml = [
    """
    <?xml version="1.0" encoding="utf-8"?>
    <CacheInfo xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="typens:CacheInfo">
    <!-- a comment --><Name>A &amp; B</Name><a><b>1</b><b c="d&quot;e"/><![CDATA[<raw>]]></a>
    </CacheInfo>
    """,
    """
    <DEFeatureClassInfo><CatalogPath>\\main.Parks</CatalogPath><Name>main.Parks</Name>
    <GPFieldInfoExs><GPFieldInfoEx><Name>OBJECTID</Name></GPFieldInfoEx></GPFieldInfoExs>
    </DEFeatureClassInfo>
    """,
  ]
}
