/// Ideographs that are written in more than one way: in full, as mainland China writes them since, and as
/// Japan does.
///
/// People find "臺北車站" whichever of them they type. The list has those that names of places consist of.
enum HanLetters {
  /// An ideograph as the others that mean it are found; any other character as it is.
  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar { forms[scalar] ?? scalar }

  /// Whether a word is an ideograph.
  static func isOne(_ word: [UInt8]) -> Bool {
    guard word.count == 3 || word.count == 4, let first = word.first, first >= 0xE3 else {
      return false
    }
    return String(decoding: word, as: UTF8.self).unicodeScalars.first?.properties.isIdeographic
      ?? false
  }

  private static let forms: [Unicode.Scalar: Unicode.Scalar] = {
    var forms: [Unicode.Scalar: Unicode.Scalar] = [:]
    for group in groups.split(whereSeparator: \.isWhitespace) {
      let scalars = Array(group.unicodeScalars)
      guard let plain = scalars.first else { continue }
      for other in scalars.dropFirst() { forms[other] = plain }
    }
    return forms
  }()

  /// The form by which the others behind it are found.
  private static let groups = """
    号號 区區 县縣県 乡鄉郷 镇鎮鎭 東东 门門 马馬 湾灣 台臺 国國 广廣広 岛島嶋 龙龍竜 华華 桥橋 园園 楼樓
    场場 车車 医醫 学學 馆館舘 铁鐵鉄 线線 机機 兰蘭 阳陽 阴陰 云雲 长長 丰豐豊 宝寶 会會 义義 庆慶 兴興
    头頭 滩灘 沟溝 泽澤沢 边邊辺 滨濱浜 峡峽 关關関 宁寧 贵貴 凤鳳 叶葉 庄莊荘 苏蘇 连連 辽遼 郑鄭 银銀
    锦錦 黄黃 齐齊斉 卫衛 万萬 点點 鸟鳥 鱼魚 农農 业業 电電 视視 体體 库庫 厂廠 庙廟 岭嶺 冈岡 岗崗 汉漢
    胜勝 乐樂楽 寿壽 德徳 静靜 浅淺 图圖図 书書 邻鄰隣 阶階 层層 栋棟 单單 树樹 樱櫻桜 杨楊 张張 陈陳 赵趙
    吴吳呉 孙孫 许許 爱愛 宽寬 丽麗 联聯 环環 际際 实實 駅驛驿 户戶戸 龟龜亀 灵靈 圣聖 荣榮栄 营營 礼禮
    盐鹽塩 泷瀧滝 尔爾 芦蘆 莲蓮 贝貝 军軍 运運 达達 远遠 邮郵 钓釣 开開 阁閣 双雙 鸡雞鶏 韩韓 顺順 顶頂
    飞飛 鸭鴨 鹤鶴 鹰鷹 麦麥 后後 厦廈 观觀観 艺藝 术術 动動 务務 总總 统統 坝壩 济濟済 沧滄 润潤 温溫
    涩澀渋 应應 惠恵 旧舊 真眞 条條 桧檜 权權 归歸 气氣気 濑瀨瀬 溪渓谿 发發 码碼 谷穀 纪紀 红紅 经經経
    纬緯 绿綠緑 网網 罗羅 舰艦 厅廳庁 奥奧 专專専 对對 岳嶽 岩巖 峰峯 带帶帯 径徑 拜拝 晓曉 来來 佛仏 传傳
    儿兒児 内內 协協 参參 员員 桑桒 柏栢 崎﨑 富冨 峠 钟鐘鍾 苍蒼 莱萊 蓝藍 诸諸 诊診 议議 证證 课課 谢謝
    财財 货貨 购購 资資 赤 轩軒 轮輪 辉輝 农農 过過 选選 遗遺 铜銅 钢鋼 锡錫 针針 铃鈴 闸閘 闽閩 阵陣 隆
    难難 辅輔 雾霧 饭飯 骑騎 鲁魯 鲤鯉 鲸鯨 鹅鵝 鹿 黑黒 齿齒 龙龍
    """
}
